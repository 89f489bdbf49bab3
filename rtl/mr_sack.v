// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

`include "mr_profile.vh"
`include "mr_config.vh"

/*
 * Receiver SACK unit: classifies each packet, keeps the 256-packet window of each path, says when an ACK is due
 * (spec: sack.*, cycle.*).
 *
 * s_req       requests, one a clock on any mix of paths, a single busy path included
 * m_rsp       one response a request, in order; enters the output FIFO `MR_SACK_PIPELINE_CYCLES after issue
 * dbg_update  the same operation, in the cycle after its response entered the FIFO
 * Reset empties the unit and starts the init sweep; s_req_ready is low until every path is closed.
 *
 * Each piece of state has its own RAM and its own short loop, in the stage in which its inputs are known:
 *   cycles 0 to 9   mr_ring_window: set of received PSNs and base; the class is decided in cycle 7
 *   cycle 8         next; received and ce_marked
 *   cycle 10        pending and last_ce, and with them ack_now
 *   cycles 9 to 14  the vector: ring in terms of "received" (one XOR), then rotated by base, two bits of it a cycle
 */
module mr_sack #(
    parameter CONNECTIONS = `MR_CONNECTIONS,  // power of two, 1 .. 65536
    parameter PATHS       = `MR_PATHS         // paths of a connection, power of two, 1 .. 4096
) (
    input  wire                                      clk,
    input  wire                                      rst,
    // requests
    input  wire                                      s_req_valid,
    output wire                                      s_req_ready,
    input  wire [           `MR_SACK_REQ_OP_BITS-1:0] s_req_op,
    input  wire [   `MR_SACK_REQ_CONNECTION_BITS-1:0] s_req_connection,
    input  wire [         `MR_SACK_REQ_PATH_BITS-1:0] s_req_path,
    input  wire [          `MR_SACK_REQ_PSN_BITS-1:0] s_req_psn,
    input  wire [           `MR_SACK_REQ_CE_BITS-1:0] s_req_ce,
    input  wire [  `MR_SACK_REQ_ACK_REQUEST_BITS-1:0] s_req_ack_request,
    input  wire [         `MR_SACK_REQ_TAIL_BITS-1:0] s_req_tail,
    input  wire [      `MR_SACK_REQ_REFUSED_BITS-1:0] s_req_refused,
    // responses
    output wire                                      m_rsp_valid,
    input  wire                                      m_rsp_ready,
    output wire [           `MR_SACK_RSP_OP_BITS-1:0] m_rsp_op,
    output wire [   `MR_SACK_RSP_CONNECTION_BITS-1:0] m_rsp_connection,
    output wire [         `MR_SACK_RSP_PATH_BITS-1:0] m_rsp_path,
    output wire [          `MR_SACK_RSP_PSN_BITS-1:0] m_rsp_psn,
    output wire [        `MR_SACK_RSP_CLASS_BITS-1:0] m_rsp_class,
    output wire [      `MR_SACK_RSP_ACK_NOW_BITS-1:0] m_rsp_ack_now,
    output wire [   `MR_SACK_RSP_CUMULATIVE_BITS-1:0] m_rsp_cumulative,
    output wire [         `MR_SACK_RSP_NEXT_BITS-1:0] m_rsp_next,
    output wire [     `MR_SACK_RSP_RECEIVED_BITS-1:0] m_rsp_received,
    output wire [    `MR_SACK_RSP_CE_MARKED_BITS-1:0] m_rsp_ce_marked,
    output wire [       `MR_SACK_RSP_VECTOR_BITS-1:0] m_rsp_vector,
    // events
    output wire                                             dbg_update_valid,
    output wire [`MR_SACK_DBG_UPDATE_CONNECTION_BITS-1:0] dbg_update_connection,
    output wire [      `MR_SACK_DBG_UPDATE_PATH_BITS-1:0] dbg_update_path,
    output wire [       `MR_SACK_DBG_UPDATE_PSN_BITS-1:0] dbg_update_psn,
    output wire [     `MR_SACK_DBG_UPDATE_CLASS_BITS-1:0] dbg_update_class,
    output wire [`MR_SACK_DBG_UPDATE_CUMULATIVE_BITS-1:0] dbg_update_cumulative,
    output wire [      `MR_SACK_DBG_UPDATE_NEXT_BITS-1:0] dbg_update_next,
    // counters and identity
    output wire [                                   31:0] count_new_in_order,
    output wire [                                   31:0] count_new_out_of_order,
    output wire [                                   31:0] count_duplicate,
    output wire [                                   31:0] count_old,
    output wire [                                   31:0] count_beyond,
    output wire [                                   31:0] count_closed,
    output wire [                                   31:0] count_refused,
    output wire [                                   63:0] id_spec_hash
);

  localparam L = `MR_SACK_PIPELINE_CYCLES;
  localparam CONTEXTS = CONNECTIONS * PATHS;
  localparam INDEX_BITS = CONTEXTS > 1 ? $clog2(CONTEXTS) : 1;
  localparam WINDOW = `MR_SACK_RSP_VECTOR_BITS;
  localparam LOG = $clog2(WINDOW);
  localparam DECIDE = 7, ACK = 10;  // cycles of the loops
  localparam [63:0] SPEC_HASH = `MR_SPEC_HASH;

  initial begin
    if (CONNECTIONS < 1 || CONNECTIONS > 65536 || (CONNECTIONS & (CONNECTIONS - 1)) != 0) begin
      $display("%m: CONNECTIONS is %0d, must be a power of two from 1 to 65536", CONNECTIONS);
      $finish;
    end
    if (PATHS < 1 || PATHS > 4096 || (PATHS & (PATHS - 1)) != 0) begin
      $display("%m: PATHS is %0d, must be a power of two from 1 to 4096", PATHS);
      $finish;
    end
    if (WINDOW != `MR_WINDOW_PACKETS || L != ACK + LOG / 2) begin
      $display("%m: built for %0d cycles; a window of %0d packets takes %0d", L, WINDOW, ACK + LOG / 2);
      $finish;
    end
  end

  assign id_spec_hash = SPEC_HASH;

  // -------------------------------------------------------------------------------- requests, cycle 0
  localparam REQUEST_BITS = `MR_SACK_REQ_OP_BITS + `MR_SACK_REQ_CONNECTION_BITS + `MR_SACK_REQ_PATH_BITS +
      `MR_SACK_REQ_PSN_BITS + `MR_SACK_REQ_CE_BITS + `MR_SACK_REQ_ACK_REQUEST_BITS + `MR_SACK_REQ_TAIL_BITS +
      `MR_SACK_REQ_REFUSED_BITS;

  wire sweep, sweep_ready;
  wire [INDEX_BITS-1:0] sweep_index;
  wire present, issue;
  wire [`MR_SACK_REQ_OP_BITS-1:0] op_0;
  wire [`MR_SACK_REQ_CONNECTION_BITS-1:0] connection_0;
  wire [`MR_SACK_REQ_PATH_BITS-1:0] path_0;
  wire [`MR_SACK_REQ_PSN_BITS-1:0] psn_0;
  wire ce_0, ack_request_0, tail_0, refused_0;
  wire [2:0] unused_count;

  mr_sweep #(
      .CONTEXTS  (CONTEXTS),
      .INDEX_BITS(INDEX_BITS)
  ) closing_sweep (
      .clk       (clk),
      .rst       (rst),
      .busy      (sweep),
      .index     (sweep_index),
      .ready_next(sweep_ready)
  );

  mr_fifo #(
      .WIDTH(REQUEST_BITS),
      .DEPTH(`MR_SACK_INPUT_FIFO_DEPTH)
  ) request_fifo (
      .clk    (clk),
      .rst    (rst),
      .enable (sweep_ready),
      .s_valid(s_req_valid),
      .s_ready(s_req_ready),
      .s_data ({s_req_op, s_req_connection, s_req_path, s_req_psn, s_req_ce, s_req_ack_request, s_req_tail, s_req_refused}),
      .m_valid(present),
      .m_ready(issue),
      .m_data ({op_0, connection_0, path_0, psn_0, ce_0, ack_request_0, tail_0, refused_0}),
      .count  (unused_count)
  );

  mr_issue #(
      .CREDITS(`MR_SACK_OUTPUT_FIFO_DEPTH)
  ) credit (
      .clk    (clk),
      .rst    (rst),
      .present(present),
      .allow  (1'b1),
      .taken  (m_rsp_valid && m_rsp_ready),
      .issue  (issue)
  );

  wire [INDEX_BITS-1:0] index_0;
  wire known_0;
  wire opens_0 = op_0 == `MR_SACK_OP_OPEN;

  mr_context_index #(
      .MAJOR_BITS(`MR_SACK_REQ_CONNECTION_BITS),
      .MINOR_BITS(`MR_SACK_REQ_PATH_BITS),
      .MAJORS    (CONNECTIONS),
      .MINORS    (PATHS),
      .INDEX_BITS(INDEX_BITS)
  ) context_index (
      .major(connection_0),
      .minor(path_0),
      .index(index_0),
      .known(known_0)
  );

  // -------------------------------------------------------------------------------- request fields down the pipeline
  wire [L:0] valid;
  wire [INDEX_BITS-1:0] index_7, index_8, index_9, index_10;
  wire opens_7, known_7, refused_7, ce_7, urge_7;  // urge: ACK request or tail
  wire [`MR_SACK_REQ_PSN_BITS-1:0] psn_7, psn_8;

  mr_delay_valid #(
      .CYCLES(L)
  ) delay_valid (
      .clk  (clk),
      .rst  (rst),
      .d    (issue),
      .stage(valid)
  );

  mr_delay #(
      .WIDTH (INDEX_BITS + 5 + `MR_SACK_REQ_PSN_BITS),
      .CYCLES(DECIDE)
  ) delay_to_decide (
      .clk(clk),
      .d  ({index_0, opens_0, known_0, refused_0, ce_0, ack_request_0 || tail_0, psn_0}),
      .q  ({index_7, opens_7, known_7, refused_7, ce_7, urge_7, psn_7})
  );

  // -------------------------------------------------------------------------------- cycle 7: class
  wire is_open, is_old, is_beyond, is_first, is_present;
  wire [31:0] base_before_8, base_after_8;
  wire [WINDOW-1:0] ring_9;
  wire is_new_7 = is_open && !is_old && !is_beyond && !is_present;
  wire accept_7 = is_new_7 && !opens_7 && !refused_7;
  reg [`MR_SACK_CLASS_BITS-1:0] class_next;

  mr_ring_window #(
      .WINDOW    (WINDOW),
      .CONTEXTS  (CONTEXTS),
      .INDEX_BITS(INDEX_BITS)
  ) window (
      .clk         (clk),
      .rst         (rst),
      .sweep       (sweep),
      .sweep_index (sweep_index),
      .issue       (issue && known_0),
      .issue_open  (opens_0),
      .issue_index (index_0),
      .issue_number(psn_0),
      .is_open     (is_open),
      .is_old      (is_old),
      .is_beyond   (is_beyond),
      .is_first    (is_first),
      .is_present  (is_present),
      .fill        (accept_7),
      .base_before (base_before_8),
      .base_after  (base_after_8),
      .ring_after  (ring_9)
  );

  always @* begin
    if (opens_7) class_next = known_7 ? `MR_SACK_CLASS_OPENED : `MR_SACK_CLASS_CLOSED;
    else if (!is_open) class_next = `MR_SACK_CLASS_CLOSED;
    else if (is_old) class_next = `MR_SACK_CLASS_OLD;
    else if (is_beyond) class_next = `MR_SACK_CLASS_BEYOND;
    else if (is_present) class_next = `MR_SACK_CLASS_DUPLICATE;
    else if (is_first) class_next = `MR_SACK_CLASS_NEW_IN_ORDER;
    else class_next = `MR_SACK_CLASS_NEW_OUT_OF_ORDER;
  end

  reg [`MR_SACK_CLASS_BITS-1:0] class_8, class_9, class_10;
  reg opens_8;  // opens or counts a context: all but CLOSED
  reg accept_8, looks_8, looks_9, looks_10, opens_9, opens_10;
  reg refused_8, refused_9, refused_10, ce_8, ce_9, ce_10, urge_8, urge_9, urge_10;

  always @(posedge clk) begin
    class_8   <= class_next;
    class_9   <= class_8;
    class_10  <= class_9;
    opens_8   <= valid[DECIDE] && opens_7 && known_7;
    opens_9   <= opens_8;
    opens_10  <= opens_9;
    looks_8   <= is_open && !opens_7;
    looks_9   <= looks_8;
    looks_10  <= looks_9;
    accept_8  <= accept_7;
    refused_8 <= refused_7;
    refused_9 <= refused_8;
    refused_10 <= refused_9;
    ce_8      <= ce_7;
    ce_9      <= ce_8;
    ce_10     <= ce_9;
    urge_8    <= urge_7;
    urge_9    <= urge_8;
    urge_10   <= urge_9;
  end

  mr_delay #(
      .WIDTH (INDEX_BITS + `MR_SACK_REQ_PSN_BITS),
      .CYCLES(1)
  ) delay_to_next (
      .clk(clk),
      .d  ({index_7, psn_7}),
      .q  ({index_8, psn_8})
  );

  mr_delay #(
      .WIDTH (INDEX_BITS),
      .CYCLES(1)
  ) delay_index_9 (
      .clk(clk),
      .d  (index_8),
      .q  (index_9)
  );

  mr_delay #(
      .WIDTH (INDEX_BITS),
      .CYCLES(1)
  ) delay_index_10 (
      .clk(clk),
      .d  (index_9),
      .q  (index_10)
  );

  // -------------------------------------------------------------------------------- cycle 8: next, received, ce_marked
  wire [31:0] next_before_8, received_before_8, ce_before_8;
  wire [31:0] behind_8 = psn_8 + 32'd1;
  wire [31:0] unused_gain;
  wire raises_next;
  wire [31:0] next_after_8 = opens_8 ? psn_8 : accept_8 && raises_next ? behind_8 : next_before_8;
  wire [31:0] received_after_8 = opens_8 ? 32'd0 : received_before_8 + 32'd1;
  wire [31:0] ce_after_8 = opens_8 ? 32'd0 : ce_before_8 + {31'd0, ce_8};
  wire write_8 = sweep || opens_8 || looks_8;
  wire [INDEX_BITS-1:0] write_index_8 = sweep ? sweep_index : index_8;

  // Both lie in [base, base + 256], so "farther from base" is "not before".
  mr_seq_before #(
      .WIDTH(32)
  ) compare_next (
      .a        (next_before_8),
      .b        (behind_8),
      .distance (unused_gain),
      .is_before(raises_next)
  );

  mr_context_ram #(
      .WIDTH       (96),
      .DEPTH       (CONTEXTS),
      .ADDRESS_BITS(INDEX_BITS)
  ) progress (
      .clk          (clk),
      .read_address (index_7),
      .read_data    ({next_before_8, received_before_8, ce_before_8}),
      .write_enable (write_8),
      .write_address(write_index_8),
      .write_data   (sweep ? 96'd0 : {next_after_8, received_after_8, ce_after_8})
  );

  reg [31:0] next_before_9, base_before_9, base_9, next_9, received_9, ce_marked_9;
  reg hole_before_10, hole_after_10;

  always @(posedge clk) begin
    next_before_9 <= next_before_8;
    base_before_9 <= base_before_8;
    base_9 <= base_after_8;
    next_9 <= next_after_8;
    received_9 <= received_after_8;
    ce_marked_9 <= ce_after_8;
    hole_before_10 <= next_before_9 != base_before_9;
    hole_after_10 <= next_9 != base_9;
  end

  // -------------------------------------------------------------------------------- cycle 10: is an ACK due?
  localparam PENDING_BITS = 8;
  localparam [PENDING_BITS-1:0] EVERY = `MR_ACK_EVERY;
  wire [PENDING_BITS-1:0] pending_before;
  wire last_ce;
  wire [PENDING_BITS-1:0] pending_more = pending_before + 1'b1;
  wire ack_due = class_10 != `MR_SACK_CLASS_NEW_IN_ORDER || refused_10 || hole_before_10 || hole_after_10 ||
      ce_10 != last_ce || urge_10 || pending_more >= EVERY;
  wire [PENDING_BITS-1:0] pending_after = opens_10 || ack_due ? {PENDING_BITS{1'b0}} : pending_more;
  wire last_ce_after = !opens_10 && ce_10;
  wire write_10 = sweep || opens_10 || looks_10;
  wire [INDEX_BITS-1:0] write_index_10 = sweep ? sweep_index : index_10;

  mr_context_ram #(
      .WIDTH       (PENDING_BITS + 1),
      .DEPTH       (CONTEXTS),
      .ADDRESS_BITS(INDEX_BITS)
  ) acknowledging (
      .clk          (clk),
      .read_address (index_9),
      .read_data    ({pending_before, last_ce}),
      .write_enable (write_10),
      .write_address(write_index_10),
      .write_data   (sweep ? {(PENDING_BITS + 1) {1'b0}} : {pending_after, last_ce_after})
  );

  // -------------------------------------------------------------------------------- cycles 9 to 14: the vector
  // Ring index i stands for the number of [base, base + 256) that lives there: its lap is base's for i from base's place
  // up, else the next one.
  reg [WINDOW-1:0] upper_9;
  reg [WINDOW-1:0] received_set_10;
  reg [LOG-1:0] place_10;
  wire [WINDOW-1:0] vector_14;

  always @(posedge clk) begin
    upper_9 <= {WINDOW{1'b1}} << base_after_8[LOG-1:0];
    received_set_10 <= (opens_9 || looks_9) ? ring_9 ^ upper_9 ^ {WINDOW{base_9[LOG]}} : {WINDOW{1'b0}};
    place_10 <= base_9[LOG-1:0];
  end

  mr_rotate #(
      .LOG(LOG)
  ) vector_rotate (
      .clk   (clk),
      .d     (received_set_10),
      .amount(place_10),
      .q     (vector_14)
  );

  // -------------------------------------------------------------------------------- response, cycle 14
  // A request without an open context is answered with zeros.
  localparam CHANGES_BITS = `MR_SACK_CLASS_BITS + 2 + 4 * 32;
  reg ack_now_11;
  reg [31:0] cumulative_10, next_10, received_10, ce_marked_10;
  wire answers_9 = opens_9 || looks_9;

  always @(posedge clk) begin
    ack_now_11 <= looks_10 && ack_due;
    cumulative_10 <= answers_9 ? base_9 : 32'd0;
    next_10 <= answers_9 ? next_9 : 32'd0;
    received_10 <= answers_9 ? received_9 : 32'd0;
    ce_marked_10 <= answers_9 ? ce_marked_9 : 32'd0;
  end

  wire [`MR_SACK_RSP_OP_BITS-1:0] op_14;
  wire [`MR_SACK_RSP_CONNECTION_BITS-1:0] connection_14;
  wire [`MR_SACK_RSP_PATH_BITS-1:0] path_14;
  wire [`MR_SACK_RSP_PSN_BITS-1:0] psn_14;
  wire [`MR_SACK_CLASS_BITS-1:0] class_14;
  wire ack_now_14, refused_14;
  wire [31:0] cumulative_14, next_14, received_14, ce_marked_14;

  mr_delay #(
      .WIDTH (`MR_SACK_RSP_OP_BITS + `MR_SACK_RSP_CONNECTION_BITS + `MR_SACK_RSP_PATH_BITS + `MR_SACK_RSP_PSN_BITS),
      .CYCLES(L)
  ) delay_request (
      .clk(clk),
      .d  ({op_0, connection_0, path_0, psn_0}),
      .q  ({op_14, connection_14, path_14, psn_14})
  );

  mr_delay #(
      .WIDTH (CHANGES_BITS - 1),
      .CYCLES(L - ACK)
  ) delay_result (
      .clk(clk),
      .d  ({class_10, refused_10, cumulative_10, next_10, received_10, ce_marked_10}),
      .q  ({class_14, refused_14, cumulative_14, next_14, received_14, ce_marked_14})
  );

  mr_delay #(
      .WIDTH (1),
      .CYCLES(L - ACK - 1)
  ) delay_ack_now (
      .clk(clk),
      .d  (ack_now_11),
      .q  (ack_now_14)
  );

  localparam RESPONSE_BITS = `MR_SACK_RSP_OP_BITS + `MR_SACK_RSP_CONNECTION_BITS + `MR_SACK_RSP_PATH_BITS +
      `MR_SACK_RSP_PSN_BITS + `MR_SACK_RSP_CLASS_BITS + `MR_SACK_RSP_ACK_NOW_BITS + 4 * 32 + WINDOW;
  wire [5:0] unused_response_count;
  wire response_ready;

  mr_fifo #(
      .WIDTH(RESPONSE_BITS),
      .DEPTH(`MR_SACK_OUTPUT_FIFO_DEPTH)
  ) response_fifo (
      .clk    (clk),
      .rst    (rst),
      .enable (1'b1),
      .s_valid(valid[L]),
      .s_ready(response_ready),
      .s_data ({op_14, connection_14, path_14, psn_14, class_14, ack_now_14, cumulative_14, next_14, received_14,
                ce_marked_14, vector_14}),
      .m_valid(m_rsp_valid),
      .m_ready(m_rsp_ready),
      .m_data ({m_rsp_op, m_rsp_connection, m_rsp_path, m_rsp_psn, m_rsp_class, m_rsp_ack_now, m_rsp_cumulative, m_rsp_next,
                m_rsp_received, m_rsp_ce_marked, m_rsp_vector}),
      .count  (unused_response_count)
  );

  // -------------------------------------------------------------------------------- events and counters
  wire unused_update;
  wire is_new_14 = class_14 == `MR_SACK_CLASS_NEW_IN_ORDER || class_14 == `MR_SACK_CLASS_NEW_OUT_OF_ORDER;

  mr_delay_valid #(
      .CYCLES(1)
  ) delay_update (
      .clk  (clk),
      .rst  (rst),
      .d    (valid[L]),
      .stage({dbg_update_valid, unused_update})
  );

  mr_delay #(
      .WIDTH (`MR_SACK_DBG_UPDATE_CONNECTION_BITS + `MR_SACK_DBG_UPDATE_PATH_BITS + `MR_SACK_DBG_UPDATE_PSN_BITS +
              `MR_SACK_DBG_UPDATE_CLASS_BITS + `MR_SACK_DBG_UPDATE_CUMULATIVE_BITS + `MR_SACK_DBG_UPDATE_NEXT_BITS),
      .CYCLES(1)
  ) delay_update_fields (
      .clk(clk),
      .d  ({connection_14, path_14, psn_14, class_14, cumulative_14, next_14}),
      .q  ({dbg_update_connection, dbg_update_path, dbg_update_psn, dbg_update_class, dbg_update_cumulative,
            dbg_update_next})
  );

  mr_counter counter_new_in_order (
      .clk     (clk),
      .rst     (rst),
      .event_in(valid[L] && class_14 == `MR_SACK_CLASS_NEW_IN_ORDER),
      .count   (count_new_in_order)
  );

  mr_counter counter_new_out_of_order (
      .clk     (clk),
      .rst     (rst),
      .event_in(valid[L] && class_14 == `MR_SACK_CLASS_NEW_OUT_OF_ORDER),
      .count   (count_new_out_of_order)
  );

  mr_counter counter_duplicate (
      .clk     (clk),
      .rst     (rst),
      .event_in(valid[L] && class_14 == `MR_SACK_CLASS_DUPLICATE),
      .count   (count_duplicate)
  );

  mr_counter counter_old (
      .clk     (clk),
      .rst     (rst),
      .event_in(valid[L] && class_14 == `MR_SACK_CLASS_OLD),
      .count   (count_old)
  );

  mr_counter counter_beyond (
      .clk     (clk),
      .rst     (rst),
      .event_in(valid[L] && class_14 == `MR_SACK_CLASS_BEYOND),
      .count   (count_beyond)
  );

  mr_counter counter_closed (
      .clk     (clk),
      .rst     (rst),
      .event_in(valid[L] && class_14 == `MR_SACK_CLASS_CLOSED),
      .count   (count_closed)
  );

  mr_counter counter_refused (
      .clk     (clk),
      .rst     (rst),
      .event_in(valid[L] && is_new_14 && refused_14),
      .count   (count_refused)
  );

  wire unused = &{1'b0, unused_count, unused_response_count, unused_gain, unused_update, response_ready};

`ifdef FORMAL
  // 1. A response always finds room: the credit sees to it.
  always @(posedge clk) if (!rst && valid[L]) assert (response_ready);
  // 2. It does its job: a packet fills a hole and the cumulative PSN passes what came behind it.
  always @(posedge clk) cover (valid[L] && class_14 == `MR_SACK_CLASS_NEW_IN_ORDER && cumulative_14 == psn_14 + 32'd2);
`endif

endmodule

`default_nettype wire
