// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

`include "mr_profile.vh"
`include "mr_config.vh"

/*
 * Reorder buffer of message entries: counts placed bytes, completes messages, retires them in stream order
 * (spec: rob.*, cycle.*).
 *
 * s_req       requests, one a clock on any mix of streams and messages, a single message included
 * m_rsp       one response a request, in order; enters the output FIFO `MR_ROB_PIPELINE_CYCLES after issue
 * m_cqe       completions, in message order within a stream
 * dbg_update  an operation, in the cycle after its response entered the FIFO
 * dbg_floor   a retire of the walker, in the cycle after it
 * stat_quiet  the unit was quiet in the cycle before
 * Reset empties the unit and starts the init sweep; s_req_ready is low until every stream is closed.
 *
 *   cycle 0         mr_rob_issue: credit, floor
 *   cycles 0 to 9   mr_ring_window: set of complete messages and head
 *   cycle 7         mr_rob_entries: bytes of the message; here the verdict is decided
 *   cycle 8         a message's first packet writes what its completion will say; head and number of retired messages
 *   cycle 10        response and run; mr_rob_walker walks the run
 */
module mr_rob #(
    parameter CONNECTIONS   = `MR_CONNECTIONS,   // power of two, 1 .. 65536
    parameter STREAMS       = `MR_STREAMS,       // streams of a connection, power of two, 1 .. 65536
    parameter REORDER_DEPTH = `MR_REORDER_DEPTH  // message entries of a stream, power of two, 4 .. 256
) (
    input  wire                                            clk,
    input  wire                                            rst,
    // requests
    input  wire                                            s_req_valid,
    output wire                                            s_req_ready,
    input  wire [               `MR_ROB_REQ_OP_BITS-1:0] s_req_op,
    input  wire [       `MR_ROB_REQ_CONNECTION_BITS-1:0] s_req_connection,
    input  wire [           `MR_ROB_REQ_STREAM_BITS-1:0] s_req_stream,
    input  wire [          `MR_ROB_REQ_MESSAGE_BITS-1:0] s_req_message,
    input  wire [           `MR_ROB_REQ_LENGTH_BITS-1:0] s_req_length,
    input  wire [            `MR_ROB_REQ_BYTES_BITS-1:0] s_req_bytes,
    input  wire [           `MR_ROB_REQ_OPCODE_BITS-1:0] s_req_opcode,
    input  wire [          `MR_ROB_REQ_ORDINAL_BITS-1:0] s_req_ordinal,
    input  wire [        `MR_ROB_REQ_IMMEDIATE_BITS-1:0] s_req_immediate,
    // responses
    output wire                                            m_rsp_valid,
    input  wire                                            m_rsp_ready,
    output wire [               `MR_ROB_RSP_OP_BITS-1:0] m_rsp_op,
    output wire [       `MR_ROB_RSP_CONNECTION_BITS-1:0] m_rsp_connection,
    output wire [           `MR_ROB_RSP_STREAM_BITS-1:0] m_rsp_stream,
    output wire [          `MR_ROB_RSP_MESSAGE_BITS-1:0] m_rsp_message,
    output wire [          `MR_ROB_RSP_VERDICT_BITS-1:0] m_rsp_verdict,
    output wire [          `MR_ROB_RSP_RETIRED_BITS-1:0] m_rsp_retired,
    // completions
    output wire                                            m_cqe_valid,
    input  wire                                            m_cqe_ready,
    output wire [       `MR_ROB_CQE_CONNECTION_BITS-1:0] m_cqe_connection,
    output wire [           `MR_ROB_CQE_STREAM_BITS-1:0] m_cqe_stream,
    output wire [          `MR_ROB_CQE_MESSAGE_BITS-1:0] m_cqe_message,
    output wire [           `MR_ROB_CQE_LENGTH_BITS-1:0] m_cqe_length,
    output wire [           `MR_ROB_CQE_OPCODE_BITS-1:0] m_cqe_opcode,
    output wire [          `MR_ROB_CQE_ORDINAL_BITS-1:0] m_cqe_ordinal,
    output wire [        `MR_ROB_CQE_IMMEDIATE_BITS-1:0] m_cqe_immediate,
    // events
    output wire                                            dbg_update_valid,
    output wire [`MR_ROB_DBG_UPDATE_CONNECTION_BITS-1:0] dbg_update_connection,
    output wire [    `MR_ROB_DBG_UPDATE_STREAM_BITS-1:0] dbg_update_stream,
    output wire [   `MR_ROB_DBG_UPDATE_MESSAGE_BITS-1:0] dbg_update_message,
    output wire [   `MR_ROB_DBG_UPDATE_VERDICT_BITS-1:0] dbg_update_verdict,
    output wire [      `MR_ROB_DBG_UPDATE_HEAD_BITS-1:0] dbg_update_head,
    output wire                                            dbg_floor_valid,
    output wire [ `MR_ROB_DBG_FLOOR_CONNECTION_BITS-1:0] dbg_floor_connection,
    output wire [     `MR_ROB_DBG_FLOOR_STREAM_BITS-1:0] dbg_floor_stream,
    output wire [      `MR_ROB_DBG_FLOOR_FLOOR_BITS-1:0] dbg_floor_floor,
    // status, counters and identity
    output wire [            `MR_ROB_STAT_QUIET_BITS-1:0] stat_quiet,
    output wire [                                    31:0] count_counted,
    output wire [                                    31:0] count_completed,
    output wire [                                    31:0] count_stale,
    output wire [                                    31:0] count_beyond,
    output wire [                                    31:0] count_inconsistent,
    output wire [                                    31:0] count_closed,
    output wire [                                    31:0] count_retired,
    output wire [                                    63:0] id_spec_hash
);

  localparam L = `MR_ROB_PIPELINE_CYCLES;
  localparam CONTEXTS = CONNECTIONS * STREAMS;
  localparam INDEX_BITS = CONTEXTS > 1 ? $clog2(CONTEXTS) : 1;
  localparam LOG = $clog2(REORDER_DEPTH);
  localparam DECIDE = 7;
  localparam MESSAGE_BITS = `MR_ROB_REQ_MESSAGE_BITS;
  localparam LENGTH_BITS = `MR_ROB_REQ_LENGTH_BITS;
  localparam BYTES_BITS = `MR_ROB_REQ_BYTES_BITS;
  localparam OPCODE_BITS = `MR_ROB_REQ_OPCODE_BITS;
  localparam ORDINAL_BITS = `MR_ROB_REQ_ORDINAL_BITS;
  localparam IMMEDIATE_BITS = `MR_ROB_REQ_IMMEDIATE_BITS;
  localparam VERDICT_BITS = `MR_ROB_VERDICT_BITS;
  localparam RETIRED_BITS = `MR_ROB_RSP_RETIRED_BITS;
  localparam KEY_BITS = `MR_ROB_REQ_CONNECTION_BITS + `MR_ROB_REQ_STREAM_BITS;
  localparam COMPLETION_BITS = LENGTH_BITS + OPCODE_BITS + ORDINAL_BITS + IMMEDIATE_BITS;
  localparam [63:0] SPEC_HASH = `MR_SPEC_HASH;

  initial begin
    if (CONNECTIONS < 1 || CONNECTIONS > 65536 || (CONNECTIONS & (CONNECTIONS - 1)) != 0) begin
      $display("%m: CONNECTIONS is %0d, must be a power of two from 1 to 65536", CONNECTIONS);
      $finish;
    end
    if (STREAMS < 1 || STREAMS > 65536 || (STREAMS & (STREAMS - 1)) != 0) begin
      $display("%m: STREAMS is %0d, must be a power of two from 1 to 65536", STREAMS);
      $finish;
    end
    if (REORDER_DEPTH < 4 || REORDER_DEPTH > 256 || (REORDER_DEPTH & (REORDER_DEPTH - 1)) != 0) begin
      $display("%m: REORDER_DEPTH is %0d, must be a power of two from 4 to 256", REORDER_DEPTH);
      $finish;
    end
    if (L < 10) begin
      $display("%m: built for %0d cycles; it takes 10", L);
      $finish;
    end
  end

  assign id_spec_hash = SPEC_HASH;

  // -------------------------------------------------------------------------------- requests, cycle 0
  localparam REQUEST_BITS = `MR_ROB_REQ_OP_BITS + KEY_BITS + MESSAGE_BITS + BYTES_BITS + COMPLETION_BITS;

  wire sweep, sweep_ready;
  wire [INDEX_BITS-1:0] sweep_index;
  wire present, issue;
  wire [`MR_ROB_REQ_OP_BITS-1:0] op_0;
  wire [`MR_ROB_REQ_CONNECTION_BITS-1:0] connection_0;
  wire [`MR_ROB_REQ_STREAM_BITS-1:0] stream_0;
  wire [MESSAGE_BITS-1:0] message_0;
  wire [BYTES_BITS-1:0] bytes_0;
  wire [COMPLETION_BITS-1:0] completion_0;  // length, opcode, ordinal, immediate
  wire [$clog2(`MR_ROB_INPUT_FIFO_DEPTH+1)-1:0] unused_requests;

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
      .DEPTH(`MR_ROB_INPUT_FIFO_DEPTH)
  ) request_fifo (
      .clk    (clk),
      .rst    (rst),
      .enable (sweep_ready),
      .s_valid(s_req_valid),
      .s_ready(s_req_ready),
      .s_data ({s_req_op, s_req_connection, s_req_stream, s_req_message, s_req_bytes, s_req_length, s_req_opcode,
                s_req_ordinal, s_req_immediate}),
      .m_valid(present),
      .m_ready(issue),
      .m_data ({op_0, connection_0, stream_0, message_0, bytes_0, completion_0}),
      .count  (unused_requests)
  );

  wire [INDEX_BITS-1:0] index_0;
  wire known_0;
  wire opens_0 = op_0 == `MR_ROB_OP_OPEN;

  mr_context_index #(
      .MAJOR_BITS(`MR_ROB_REQ_CONNECTION_BITS),
      .MINOR_BITS(`MR_ROB_REQ_STREAM_BITS),
      .MAJORS    (CONNECTIONS),
      .MINORS    (STREAMS),
      .INDEX_BITS(INDEX_BITS)
  ) context_index (
      .major(connection_0),
      .minor(stream_0),
      .index(index_0),
      .known(known_0)
  );

  wire [L:0] valid;
  wire run_10, run_taken, walker_idle, retire, quiet;
  wire [INDEX_BITS-1:0] retire_index;
  wire [MESSAGE_BITS-1:0] retire_floor;
  reg quiet_reg;

  mr_rob_issue #(
      .REORDER_DEPTH(REORDER_DEPTH),
      .INDEX_BITS   (INDEX_BITS)
  ) issuing (
      .clk           (clk),
      .rst           (rst),
      .sweep         (sweep),
      .sweep_index   (sweep_index),
      .present       (present),
      .opens         (opens_0),
      .known         (known_0),
      .index         (index_0),
      .message       (message_0),
      .issue         (issue),
      .response_taken(m_rsp_valid && m_rsp_ready),
      .finished      (valid[L]),
      .finished_run  (run_10),
      .run_taken     (run_taken),
      .walker_idle   (walker_idle),
      .retire        (retire),
      .retire_index  (retire_index),
      .retire_floor  (retire_floor),
      .quiet         (quiet)
  );

  always @(posedge clk) quiet_reg <= quiet && !rst;

  assign stat_quiet = quiet_reg;

  // -------------------------------------------------------------------------------- request fields down the pipeline
  wire [INDEX_BITS-1:0] index_6;
  wire [MESSAGE_BITS-1:0] message_6;
  wire opens_7, known_7;
  wire [BYTES_BITS-1:0] bytes_7;
  wire [COMPLETION_BITS-1:0] completion_7;

  mr_delay_valid #(
      .CYCLES(L)
  ) delay_valid (
      .clk  (clk),
      .rst  (rst),
      .d    (issue),
      .stage(valid)
  );

  mr_delay #(
      .WIDTH (INDEX_BITS + MESSAGE_BITS),
      .CYCLES(DECIDE - 1)
  ) delay_place (
      .clk(clk),
      .d  ({index_0, message_0}),
      .q  ({index_6, message_6})
  );

  mr_delay #(
      .WIDTH (2 + BYTES_BITS + COMPLETION_BITS),
      .CYCLES(DECIDE)
  ) delay_to_decide (
      .clk(clk),
      .d  ({opens_0, known_0, bytes_0, completion_0}),
      .q  ({opens_7, known_7, bytes_7, completion_7})
  );

  // -------------------------------------------------------------------------------- cycle 7: verdict
  wire is_open, is_old, is_beyond, is_present;
  wire consistent, completes;
  wire [MESSAGE_BITS-1:0] head_before_8, head_after_8;
  wire inside_7 = is_open && !opens_7 && !is_old && !is_beyond && !is_present;
  wire accept_7 = inside_7 && consistent;
  wire opens_known_7 = valid[DECIDE] && opens_7 && known_7;
  wire unused_is_first;
  wire [REORDER_DEPTH-1:0] unused_ring;

  mr_ring_window #(
      .WINDOW    (REORDER_DEPTH),
      .CONTEXTS  (CONTEXTS),
      .INDEX_BITS(INDEX_BITS)
  ) complete_messages (
      .clk         (clk),
      .rst         (rst),
      .sweep       (sweep),
      .sweep_index (sweep_index),
      .issue       (issue && known_0),
      .issue_open  (opens_0),
      .issue_index (index_0),
      .issue_number(message_0),
      .is_open     (is_open),
      .is_old      (is_old),
      .is_beyond   (is_beyond),
      .is_first    (unused_is_first),
      .is_present  (is_present),
      .fill        (accept_7 && completes),
      .base_before (head_before_8),
      .base_after  (head_after_8),
      .ring_after  (unused_ring)
  );

  wire first_8;

  mr_rob_entries #(
      .REORDER_DEPTH(REORDER_DEPTH),
      .CONTEXTS     (CONTEXTS),
      .INDEX_BITS   (INDEX_BITS)
  ) entries (
      .clk         (clk),
      .sweep       (sweep),
      .sweep_index (sweep_index),
      .read_index  (index_6),
      .read_message(message_6),
      .length      (completion_7[COMPLETION_BITS-1-:LENGTH_BITS]),
      .bytes       (bytes_7),
      .opcode      (completion_7[ORDINAL_BITS+IMMEDIATE_BITS+:OPCODE_BITS]),
      .consistent  (consistent),
      .completes   (completes),
      .accept      (accept_7),
      .opens       (opens_known_7),
      .first       (first_8)
  );

  reg [VERDICT_BITS-1:0] verdict_next, verdict_8, verdict_9;

  always @* begin
    if (opens_7) verdict_next = known_7 ? `MR_ROB_VERDICT_OPENED : `MR_ROB_VERDICT_CLOSED;
    else if (!is_open) verdict_next = `MR_ROB_VERDICT_CLOSED;
    else if (is_old) verdict_next = `MR_ROB_VERDICT_STALE;
    else if (is_beyond) verdict_next = `MR_ROB_VERDICT_BEYOND;
    else if (is_present) verdict_next = `MR_ROB_VERDICT_STALE;
    else if (!consistent) verdict_next = `MR_ROB_VERDICT_INCONSISTENT;
    else if (completes) verdict_next = `MR_ROB_VERDICT_COMPLETED;
    else verdict_next = `MR_ROB_VERDICT_COUNTED;
  end

  // -------------------------------------------------------------------------------- cycle 8: head, completion entry
  localparam PLACE_BITS = INDEX_BITS + LOG;
  wire [PLACE_BITS-1:0] place_8, walker_address;
  wire [COMPLETION_BITS-1:0] walker_data;
  wire [MESSAGE_BITS-1:0] retired_8;
  wire unused_retired_sign;
  reg [COMPLETION_BITS-1:0] completion_8;
  reg [MESSAGE_BITS-1:0] first_message_9, head_9;
  reg [RETIRED_BITS-1:0] retired_9;

  always @(posedge clk) begin
    verdict_8 <= verdict_next;
    verdict_9 <= verdict_8;
    completion_8 <= completion_7;
    first_message_9 <= head_before_8;
    head_9 <= verdict_8 == `MR_ROB_VERDICT_CLOSED ? {MESSAGE_BITS{1'b0}} : head_after_8;
    retired_9 <= verdict_8 == `MR_ROB_VERDICT_COMPLETED ? retired_8[RETIRED_BITS-1:0] : {RETIRED_BITS{1'b0}};
  end

  mr_seq_before #(
      .WIDTH(MESSAGE_BITS)
  ) count_retired_messages (
      .a        (head_after_8),
      .b        (head_before_8),
      .distance (retired_8),
      .is_before(unused_retired_sign)
  );

  mr_delay #(
      .WIDTH (PLACE_BITS),
      .CYCLES(2)
  ) delay_place_8 (
      .clk(clk),
      .d  ({index_6, message_6[LOG-1:0]}),
      .q  (place_8)
  );

  mr_ram #(
      .WIDTH       (COMPLETION_BITS),
      .ADDRESS_BITS(PLACE_BITS)
  ) completions (
      .clk          (clk),
      .write_enable (first_8),
      .write_address(place_8),
      .write_data   (completion_8),
      .read_address (walker_address),
      .read_data    (walker_data)
  );

  // -------------------------------------------------------------------------------- response and run, cycle 10
  wire [`MR_ROB_RSP_OP_BITS-1:0] op_10;
  wire [`MR_ROB_RSP_CONNECTION_BITS-1:0] connection_10;
  wire [`MR_ROB_RSP_STREAM_BITS-1:0] stream_10;
  wire [INDEX_BITS-1:0] index_10;
  wire [MESSAGE_BITS-1:0] message_10, first_message_10, head_10;
  wire [VERDICT_BITS-1:0] verdict_10;
  wire [RETIRED_BITS-1:0] retired_10;

  mr_delay #(
      .WIDTH (`MR_ROB_RSP_OP_BITS + KEY_BITS + INDEX_BITS + MESSAGE_BITS),
      .CYCLES(L)
  ) delay_request (
      .clk(clk),
      .d  ({op_0, connection_0, stream_0, index_0, message_0}),
      .q  ({op_10, connection_10, stream_10, index_10, message_10})
  );

  mr_delay #(
      .WIDTH (VERDICT_BITS + RETIRED_BITS + 2 * MESSAGE_BITS),
      .CYCLES(L - 9)
  ) delay_result (
      .clk(clk),
      .d  ({verdict_9, retired_9, first_message_9, head_9}),
      .q  ({verdict_10, retired_10, first_message_10, head_10})
  );

  localparam RESPONSE_BITS = `MR_ROB_RSP_OP_BITS + KEY_BITS + MESSAGE_BITS + VERDICT_BITS + RETIRED_BITS;
  wire [$clog2(`MR_ROB_OUTPUT_FIFO_DEPTH+1)-1:0] unused_responses;
  wire response_ready;

  mr_fifo #(
      .WIDTH(RESPONSE_BITS),
      .DEPTH(`MR_ROB_OUTPUT_FIFO_DEPTH)
  ) response_fifo (
      .clk    (clk),
      .rst    (rst),
      .enable (1'b1),
      .s_valid(valid[L]),
      .s_ready(response_ready),
      .s_data ({op_10, connection_10, stream_10, message_10, verdict_10, retired_10}),
      .m_valid(m_rsp_valid),
      .m_ready(m_rsp_ready),
      .m_data ({m_rsp_op, m_rsp_connection, m_rsp_stream, m_rsp_message, m_rsp_verdict, m_rsp_retired}),
      .count  (unused_responses)
  );

  assign run_10 = valid[L] && retired_10 != {RETIRED_BITS{1'b0}};

  wire completed;

  mr_rob_walker #(
      .REORDER_DEPTH(REORDER_DEPTH),
      .INDEX_BITS   (INDEX_BITS)
  ) walker (
      .clk                 (clk),
      .rst                 (rst),
      .run                 (run_10),
      .run_connection      (connection_10),
      .run_stream          (stream_10),
      .run_index           (index_10),
      .run_message         (first_message_10),
      .run_count           (retired_10),
      .run_taken           (run_taken),
      .idle                (walker_idle),
      .retire              (retire),
      .retire_index        (retire_index),
      .retire_floor        (retire_floor),
      .read_address        (walker_address),
      .read_data           (walker_data),
      .completed           (completed),
      .m_cqe_valid         (m_cqe_valid),
      .m_cqe_ready         (m_cqe_ready),
      .m_cqe_connection    (m_cqe_connection),
      .m_cqe_stream        (m_cqe_stream),
      .m_cqe_message       (m_cqe_message),
      .m_cqe_length        (m_cqe_length),
      .m_cqe_opcode        (m_cqe_opcode),
      .m_cqe_ordinal       (m_cqe_ordinal),
      .m_cqe_immediate     (m_cqe_immediate),
      .dbg_floor_valid     (dbg_floor_valid),
      .dbg_floor_connection(dbg_floor_connection),
      .dbg_floor_stream    (dbg_floor_stream),
      .dbg_floor_floor     (dbg_floor_floor)
  );

  // -------------------------------------------------------------------------------- events and counters
  wire unused_update;

  mr_delay_valid #(
      .CYCLES(1)
  ) delay_update (
      .clk  (clk),
      .rst  (rst),
      .d    (valid[L]),
      .stage({dbg_update_valid, unused_update})
  );

  mr_delay #(
      .WIDTH (KEY_BITS + MESSAGE_BITS + VERDICT_BITS + MESSAGE_BITS),
      .CYCLES(1)
  ) delay_update_fields (
      .clk(clk),
      .d  ({connection_10, stream_10, message_10, verdict_10, head_10}),
      .q  ({dbg_update_connection, dbg_update_stream, dbg_update_message, dbg_update_verdict, dbg_update_head})
  );

  mr_counter counter_counted (
      .clk     (clk),
      .rst     (rst),
      .event_in(valid[L] && verdict_10 == `MR_ROB_VERDICT_COUNTED),
      .count   (count_counted)
  );

  mr_counter counter_completed (
      .clk     (clk),
      .rst     (rst),
      .event_in(valid[L] && verdict_10 == `MR_ROB_VERDICT_COMPLETED),
      .count   (count_completed)
  );

  mr_counter counter_stale (
      .clk     (clk),
      .rst     (rst),
      .event_in(valid[L] && verdict_10 == `MR_ROB_VERDICT_STALE),
      .count   (count_stale)
  );

  mr_counter counter_beyond (
      .clk     (clk),
      .rst     (rst),
      .event_in(valid[L] && verdict_10 == `MR_ROB_VERDICT_BEYOND),
      .count   (count_beyond)
  );

  mr_counter counter_inconsistent (
      .clk     (clk),
      .rst     (rst),
      .event_in(valid[L] && verdict_10 == `MR_ROB_VERDICT_INCONSISTENT),
      .count   (count_inconsistent)
  );

  mr_counter counter_closed (
      .clk     (clk),
      .rst     (rst),
      .event_in(valid[L] && verdict_10 == `MR_ROB_VERDICT_CLOSED),
      .count   (count_closed)
  );

  mr_counter counter_retired (
      .clk     (clk),
      .rst     (rst),
      .event_in(completed),
      .count   (count_retired)
  );

  wire unused = &{1'b0, unused_requests, unused_responses, unused_is_first, unused_ring, unused_retired_sign,
                  unused_update, response_ready, retired_8[MESSAGE_BITS-1:RETIRED_BITS]};

`ifdef FORMAL
  // 1. A response always finds room: the credit sees to it.
  always @(posedge clk) if (!rst && valid[L]) assert (response_ready);
  // 2. It does its job: one packet lets two messages retire.
  always @(posedge clk) cover (run_10 && retired_10 == 2);
`endif

endmodule

`default_nettype wire
