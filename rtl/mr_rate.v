// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"
`include "mr_config.vh"
`include "mr_tables.vh"

/*
 * mr_rate: congestion-control rate limiter: pacing time per connection, AIMD windows per path and per connection
 * (spec: unit rate, rules rate.*, cycle.*).
 *
 * s_req takes one operation a clock, m_rsp answers in order; the result is exactly that of carrying the operations out
 * one after the other, on any mix of contexts. An operation issued in cycle t is in stage k in cycle t + k; its response
 * enters the output FIFO in cycle t + `MR_RATE_PIPELINE_CYCLES. The pipeline never stalls: an operation issues only if the
 * output FIFO has a place for its response. Every recurrence of the rules lives in one stage with its own context RAM:
 *
 *   1 request   2 index   3 open flags   4 RTT   5 counters   6 deltas   7 round   8..10 mark fraction   11 alpha
 *   12 window   13 in flight   14 hint   15 code   16..18 interval   19 next-eligible time   20 response
 *
 * After reset one path and one connection a clock are closed; s_req_ready is low until that is done.
 */
module mr_rate #(
    // connections, at most 65536; a power of two
    parameter CONNECTIONS = `MR_CONNECTIONS,
    // paths of one connection, at most 4096; a power of two
    parameter PATHS = `MR_PATHS,
    // ROM files
    parameter MARK_RECIPROCAL_FILE = "mr_mark_reciprocal.mem",
    parameter RATE_RECIPROCAL_FILE = "mr_rate_reciprocal.mem"
) (
    input  wire        clk,
    input  wire        rst,

    // requests
    input  wire        s_req_valid,
    output wire        s_req_ready,
    input  wire [ 1:0] s_req_op,
    input  wire [23:0] s_req_connection,
    input  wire [11:0] s_req_path,
    input  wire [47:0] s_req_now,
    input  wire [15:0] s_req_bytes,
    input  wire [15:0] s_req_acked,
    input  wire [31:0] s_req_received,
    input  wire [31:0] s_req_ce_marked,
    input  wire [31:0] s_req_rtt,
    input  wire        s_req_lost,
    input  wire [15:0] s_req_rate,
    input  wire [15:0] s_req_hint_sequence,
    input  wire        s_req_loss_is_congestion,

    // responses
    output wire        m_rsp_valid,
    input  wire        m_rsp_ready,
    output wire [ 1:0] m_rsp_op,
    output wire [23:0] m_rsp_connection,
    output wire [11:0] m_rsp_path,
    output wire [ 2:0] m_rsp_status,
    output wire [57:0] m_rsp_departure,
    output wire [23:0] m_rsp_path_window,
    output wire [23:0] m_rsp_connection_window,
    output wire [15:0] m_rsp_path_in_flight,
    output wire [23:0] m_rsp_connection_in_flight,
    output wire [15:0] m_rsp_path_alpha,

    // every operation, the clock after its response entered the output FIFO
    output wire        dbg_update_valid,
    output wire [ 1:0] dbg_update_op,
    output wire [23:0] dbg_update_connection,
    output wire [11:0] dbg_update_path,
    output wire [ 2:0] dbg_update_status,
    output wire [34:0] dbg_update_srtt,
    output wire [33:0] dbg_update_rttvar,

    // counters, wrapping
    output wire [31:0] count_granted,
    output wire [31:0] count_path_window,
    output wire [31:0] count_connection_window,
    output wire [31:0] count_closed,
    output wire [31:0] count_illegal_rate,
    output wire [31:0] count_stale_ack,

    // identity
    output wire [63:0] id_spec_hash,
    output wire [63:0] id_mark_reciprocal_hash,
    output wire [63:0] id_rate_reciprocal_hash
);

  localparam integer STAGES = 20;
  localparam integer PATH_CONTEXTS = CONNECTIONS * PATHS;
  localparam integer CONNECTION_BITS = CONNECTIONS > 1 ? $clog2(CONNECTIONS) : 1;
  localparam integer PATH_BITS = PATH_CONTEXTS > 1 ? $clog2(PATH_CONTEXTS) : 1;
  localparam integer REQUEST_BITS = 2 + 24 + 12 + 48 + 16 + 16 + 32 + 32 + 32 + 1 + 16 + 16 + 1;
  localparam integer RESPONSE_BITS = 2 + 24 + 12 + 3 + 58 + 24 + 24 + 16 + 24 + 16;

  initial begin
    if (STAGES != `MR_RATE_PIPELINE_CYCLES) begin
      $display("%m: this pipeline has %0d stages, the spec wants %0d", STAGES, `MR_RATE_PIPELINE_CYCLES);
      $finish;
    end
    if ((CONNECTIONS & (CONNECTIONS - 1)) != 0 || (PATHS & (PATHS - 1)) != 0) begin
      $display("%m: CONNECTIONS and PATHS must be powers of two");
      $finish;
    end
  end

  assign id_spec_hash            = `MR_SPEC_HASH;
  assign id_mark_reciprocal_hash = `MR_TABLE_MARK_RECIPROCAL_HASH;
  assign id_rate_reciprocal_hash = `MR_TABLE_RATE_RECIPROCAL_HASH;

  // ---------------------------------------------------------------- sweep, input FIFO, issue
  wire                 sweep;
  wire [PATH_BITS-1:0] sweep_index;
  wire                 ready_next;
  wire                 queued;
  wire                 issue;

  mr_sweep #(
    .CONTEXTS(PATH_CONTEXTS),
    .INDEX_BITS(PATH_BITS)
  ) closing (
    .clk(clk),
    .rst(rst),
    .busy(sweep),
    .index(sweep_index),
    .ready_next(ready_next)
  );

  mr_issue #(
    .CREDITS(`MR_RATE_OUTPUT_FIFO_DEPTH)
  ) credit (
    .clk(clk),
    .rst(rst),
    .present(queued),
    .allow(1'b1),
    .taken(m_rsp_valid && m_rsp_ready),
    .issue(issue)
  );

  wire [ 1:0] issue_op;
  wire [23:0] issue_connection;
  wire [11:0] issue_path;
  wire [47:0] issue_now;
  wire [15:0] issue_bytes;
  wire [15:0] issue_acked;
  wire [31:0] issue_received;
  wire [31:0] issue_ce_marked;
  wire [31:0] issue_rtt;
  wire        issue_lost;
  wire [15:0] issue_rate;
  wire [15:0] issue_hint_sequence;
  wire        issue_loss_is_congestion;

  wire [$clog2(`MR_RATE_INPUT_FIFO_DEPTH + 1)-1:0] unused_request_count;

  mr_fifo #(
    .WIDTH(REQUEST_BITS),
    .DEPTH(`MR_RATE_INPUT_FIFO_DEPTH)
  ) requests (
    .clk(clk),
    .rst(rst),
    .enable(ready_next),
    .s_valid(s_req_valid),
    .s_ready(s_req_ready),
    .s_data({
      s_req_op, s_req_connection, s_req_path, s_req_now, s_req_bytes, s_req_acked, s_req_received, s_req_ce_marked,
      s_req_rtt, s_req_lost, s_req_rate, s_req_hint_sequence, s_req_loss_is_congestion
    }),
    .m_valid(queued),
    .m_ready(issue),
    .m_data({
      issue_op, issue_connection, issue_path, issue_now, issue_bytes, issue_acked, issue_received, issue_ce_marked,
      issue_rtt, issue_lost, issue_rate, issue_hint_sequence, issue_loss_is_congestion
    }),
    .count(unused_request_count)
  );

  // ---------------------------------------------------------------- stages 1 and 2: request, index
  wire [             STAGES:0] valid;

  wire [                  1:0] op_1, op_3, op_20;
  wire [                 23:0] connection_1, connection_20;
  wire [                 11:0] path_1, path_20;
  wire                         pair_known_1;
  wire [        PATH_BITS-1:0] path_index_1;
  wire                         connection_known_1;
  wire [  CONNECTION_BITS-1:0] connection_index_1;
  wire                         pair_known_2, pair_known_3;
  wire [        PATH_BITS-1:0] path_index_2;
  wire                         connection_known_2, connection_known_3;
  wire [  CONNECTION_BITS-1:0] connection_index_2;

  mr_delay_valid #(
    .CYCLES(STAGES)
  ) occupied (
    .clk(clk),
    .rst(rst),
    .d(issue),
    .stage(valid)
  );

  mr_context_index #(
    .MAJOR_BITS(24),
    .MINOR_BITS(12),
    .MAJORS(CONNECTIONS),
    .MINORS(PATHS),
    .INDEX_BITS(PATH_BITS)
  ) path_context (
    .major(connection_1),
    .minor(path_1),
    .index(path_index_1),
    .known(pair_known_1)
  );

  mr_context_index #(
    .MAJOR_BITS(24),
    .MINOR_BITS(1),
    .MAJORS(CONNECTIONS),
    .MINORS(1),
    .INDEX_BITS(CONNECTION_BITS)
  ) connection_context (
    .major(connection_1),
    .minor(1'b0),
    .index(connection_index_1),
    .known(connection_known_1)
  );

  mr_delay #(.WIDTH(PATH_BITS + CONNECTION_BITS + 2), .CYCLES(1)) delay_index_2 (
    .clk(clk), .d({path_index_1, pair_known_1, connection_index_1, connection_known_1}),
    .q({path_index_2, pair_known_2, connection_index_2, connection_known_2}));

  // request fields, each to the stage that needs it: number of the stage in the name
  wire [47:0] now_7, now_19;
  wire [15:0] bytes_17;
  wire [15:0] acked_7, acked_13;
  wire [31:0] received_5, ce_marked_5;
  wire [31:0] rtt_4;
  wire        lost_5;
  wire [15:0] rate_14, hint_sequence_14;
  wire        loss_is_congestion_3;

  mr_delay #(.WIDTH(38), .CYCLES(1)) delay_names_1 (
    .clk(clk), .d({issue_op, issue_connection, issue_path}), .q({op_1, connection_1, path_1}));
  mr_delay #(.WIDTH(2), .CYCLES(2)) delay_op_3 (.clk(clk), .d(op_1), .q(op_3));
  mr_delay #(.WIDTH(2), .CYCLES(17)) delay_op_20 (.clk(clk), .d(op_3), .q(op_20));
  mr_delay #(.WIDTH(36), .CYCLES(19)) delay_names_20 (
    .clk(clk), .d({connection_1, path_1}), .q({connection_20, path_20}));
  mr_delay #(.WIDTH(1), .CYCLES(3)) delay_loss_3 (
    .clk(clk), .d(issue_loss_is_congestion), .q(loss_is_congestion_3));
  mr_delay #(.WIDTH(32), .CYCLES(4)) delay_rtt_4 (.clk(clk), .d(issue_rtt), .q(rtt_4));
  mr_delay #(.WIDTH(65), .CYCLES(5)) delay_counters_5 (
    .clk(clk), .d({issue_received, issue_ce_marked, issue_lost}), .q({received_5, ce_marked_5, lost_5}));
  mr_delay #(.WIDTH(64), .CYCLES(7)) delay_now_7 (
    .clk(clk), .d({issue_now, issue_acked}), .q({now_7, acked_7}));
  mr_delay #(.WIDTH(16), .CYCLES(6)) delay_acked_13 (.clk(clk), .d(acked_7), .q(acked_13));
  mr_delay #(.WIDTH(32), .CYCLES(14)) delay_rate_14 (
    .clk(clk), .d({issue_rate, issue_hint_sequence}), .q({rate_14, hint_sequence_14}));
  mr_delay #(.WIDTH(16), .CYCLES(17)) delay_bytes_17 (.clk(clk), .d(issue_bytes), .q(bytes_17));
  mr_delay #(.WIDTH(48), .CYCLES(12)) delay_now_19 (.clk(clk), .d(now_7), .q(now_19));

  // context indexes: stage k reads its RAM with the index of stage k - 1
  wire [CONNECTION_BITS-1:0] connection_index_3, connection_index_6, connection_index_7, connection_index_12;
  wire [CONNECTION_BITS-1:0] connection_index_13, connection_index_14, connection_index_18, connection_index_19;
  wire [      PATH_BITS-1:0] path_index_3, path_index_4, path_index_5, path_index_6, path_index_7;
  wire [      PATH_BITS-1:0] path_index_12, path_index_13;

  mr_delay #(.WIDTH(PATH_BITS), .CYCLES(1)) delay_path_3 (.clk(clk), .d(path_index_2), .q(path_index_3));
  mr_delay #(.WIDTH(PATH_BITS), .CYCLES(1)) delay_path_4 (.clk(clk), .d(path_index_3), .q(path_index_4));
  mr_delay #(.WIDTH(PATH_BITS), .CYCLES(1)) delay_path_5 (.clk(clk), .d(path_index_4), .q(path_index_5));
  mr_delay #(.WIDTH(PATH_BITS), .CYCLES(1)) delay_path_6 (.clk(clk), .d(path_index_5), .q(path_index_6));
  mr_delay #(.WIDTH(PATH_BITS), .CYCLES(1)) delay_path_7 (.clk(clk), .d(path_index_6), .q(path_index_7));
  mr_delay #(.WIDTH(PATH_BITS), .CYCLES(5)) delay_path_12 (.clk(clk), .d(path_index_7), .q(path_index_12));
  mr_delay #(.WIDTH(PATH_BITS), .CYCLES(1)) delay_path_13 (.clk(clk), .d(path_index_12), .q(path_index_13));
  mr_delay #(.WIDTH(CONNECTION_BITS), .CYCLES(1)) delay_connection_3 (
    .clk(clk), .d(connection_index_2), .q(connection_index_3));
  mr_delay #(.WIDTH(CONNECTION_BITS), .CYCLES(3)) delay_connection_6 (
    .clk(clk), .d(connection_index_3), .q(connection_index_6));
  mr_delay #(.WIDTH(CONNECTION_BITS), .CYCLES(1)) delay_connection_7 (
    .clk(clk), .d(connection_index_6), .q(connection_index_7));
  mr_delay #(.WIDTH(CONNECTION_BITS), .CYCLES(5)) delay_connection_12 (
    .clk(clk), .d(connection_index_7), .q(connection_index_12));
  mr_delay #(.WIDTH(CONNECTION_BITS), .CYCLES(1)) delay_connection_13 (
    .clk(clk), .d(connection_index_12), .q(connection_index_13));
  mr_delay #(.WIDTH(CONNECTION_BITS), .CYCLES(1)) delay_connection_14 (
    .clk(clk), .d(connection_index_13), .q(connection_index_14));
  mr_delay #(.WIDTH(CONNECTION_BITS), .CYCLES(4)) delay_connection_18 (
    .clk(clk), .d(connection_index_14), .q(connection_index_18));
  mr_delay #(.WIDTH(CONNECTION_BITS), .CYCLES(1)) delay_connection_19 (
    .clk(clk), .d(connection_index_18), .q(connection_index_19));

  // ---------------------------------------------------------------- stage 3: open flags
  wire open_connection_4, open_path_4, ack_4, send_4, loss_marks_4;

  mr_delay #(.WIDTH(2), .CYCLES(1)) delay_known_3 (
    .clk(clk), .d({pair_known_2, connection_known_2}), .q({pair_known_3, connection_known_3}));

  mr_rate_open #(
    .CONNECTIONS(CONNECTIONS),
    .PATH_CONTEXTS(PATH_CONTEXTS),
    .CONNECTION_BITS(CONNECTION_BITS),
    .PATH_BITS(PATH_BITS)
  ) open_flags (
    .clk(clk),
    .rst(rst),
    .sweep(sweep),
    .sweep_connection(sweep_index[CONNECTION_BITS-1:0]),
    .sweep_path(sweep_index),
    .read_connection(connection_index_2),
    .read_path(path_index_2),
    .valid(valid[3]),
    .op(op_3),
    .connection_known(connection_known_3),
    .pair_known(pair_known_3),
    .connection_index(connection_index_3),
    .path_index(path_index_3),
    .loss_is_congestion(loss_is_congestion_3),
    .open_connection(open_connection_4),
    .open_path(open_path_4),
    .ack(ack_4),
    .send(send_4),
    .loss_marks(loss_marks_4)
  );

  wire open_connection_5, open_path_5, ack_5, send_5, loss_marks_5;
  wire open_connection_7, open_path_7, ack_7, send_7;
  wire open_connection_13, open_path_13, ack_13, send_13;
  wire open_connection_14, open_path_14, ack_14, send_14;
  wire open_connection_19;
  wire open_connection_20, open_path_20, ack_20, send_20;

  mr_delay #(.WIDTH(5), .CYCLES(1)) delay_flags_5 (
    .clk(clk), .d({open_connection_4, open_path_4, ack_4, send_4, loss_marks_4}),
    .q({open_connection_5, open_path_5, ack_5, send_5, loss_marks_5}));
  mr_delay #(.WIDTH(4), .CYCLES(2)) delay_flags_7 (
    .clk(clk), .d({open_connection_5, open_path_5, ack_5, send_5}),
    .q({open_connection_7, open_path_7, ack_7, send_7}));
  mr_delay #(.WIDTH(4), .CYCLES(6)) delay_flags_13 (
    .clk(clk), .d({open_connection_7, open_path_7, ack_7, send_7}),
    .q({open_connection_13, open_path_13, ack_13, send_13}));
  mr_delay #(.WIDTH(4), .CYCLES(1)) delay_flags_14 (
    .clk(clk), .d({open_connection_13, open_path_13, ack_13, send_13}),
    .q({open_connection_14, open_path_14, ack_14, send_14}));
  mr_delay #(.WIDTH(1), .CYCLES(5)) delay_flags_19 (
    .clk(clk), .d(open_connection_14), .q(open_connection_19));
  mr_delay #(.WIDTH(4), .CYCLES(6)) delay_flags_20 (
    .clk(clk), .d({open_connection_14, open_path_14, ack_14, send_14}),
    .q({open_connection_20, open_path_20, ack_20, send_20}));

  // ---------------------------------------------------------------- stage 4: RTT
  wire [34:0] srtt_5, srtt_20;
  wire [33:0] rttvar_5, rttvar_20;
  wire [31:0] srtt_ns_7;

  mr_rate_rtt #(
    .CONTEXTS(PATH_CONTEXTS),
    .INDEX_BITS(PATH_BITS)
  ) round_trip (
    .clk(clk),
    .read_index(path_index_3),
    .open_path(open_path_4),
    .ack(ack_4),
    .index(path_index_4),
    .rtt(rtt_4),
    .srtt(srtt_5),
    .rttvar(rttvar_5)
  );

  mr_delay #(.WIDTH(32), .CYCLES(2)) delay_srtt_7 (.clk(clk), .d(srtt_5[34:3]), .q(srtt_ns_7));
  mr_delay #(.WIDTH(69), .CYCLES(15)) delay_rtt_20 (.clk(clk), .d({srtt_5, rttvar_5}), .q({srtt_20, rttvar_20}));

  // ---------------------------------------------------------------- stages 5 and 6: counters and their deltas
  wire [16:0] d_received_7, d_ce_7;
  wire        stale_7, stale_20;

  mr_rate_delta #(
    .CONTEXTS(PATH_CONTEXTS),
    .INDEX_BITS(PATH_BITS)
  ) deltas (
    .clk(clk),
    .read_index(path_index_4),
    .open_path(open_path_5),
    .ack(ack_5),
    .index(path_index_5),
    .received(received_5),
    .ce_marked(ce_marked_5),
    .loss(lost_5 && loss_marks_5),
    .d_received(d_received_7),
    .d_ce(d_ce_7),
    .stale(stale_7)
  );

  mr_delay #(.WIDTH(1), .CYCLES(13)) delay_stale_20 (.clk(clk), .d(stale_7), .q(stale_20));

  // ---------------------------------------------------------------- stages 7 to 12: AIMD of path and connection
  wire [23:0] path_window_13, path_window_20;
  wire [23:0] connection_window_13, connection_window_20;
  wire [15:0] path_alpha_13, path_alpha_20;
  wire [15:0] connection_alpha_13;
  wire        unused = &{
    1'b0, connection_alpha_13, unused_room, unused_request_count, unused_response_count, valid[STAGES-1:4], valid[2:0]
  };

  mr_aimd #(
    .CONTEXTS(PATH_CONTEXTS),
    .INDEX_BITS(PATH_BITS),
    .WINDOW_INITIAL(`MR_PATH_WINDOW_INITIAL),
    .WINDOW_LIMIT(`MR_PATH_WINDOW_MAX),
    .RECIPROCAL_FILE(MARK_RECIPROCAL_FILE)
  ) path_aimd (
    .clk(clk),
    .read_index(path_index_6),
    .open(open_path_7),
    .ack(ack_7),
    .index(path_index_7),
    .now(now_7),
    .srtt_ns(srtt_ns_7),
    .acked(acked_7),
    .d_received(d_received_7),
    .d_ce(d_ce_7),
    .window(path_window_13),
    .alpha(path_alpha_13)
  );

  mr_aimd #(
    .CONTEXTS(CONNECTIONS),
    .INDEX_BITS(CONNECTION_BITS),
    .WINDOW_INITIAL(`MR_CONNECTION_WINDOW_INITIAL),
    .WINDOW_LIMIT(`MR_CONNECTION_WINDOW_MAX),
    .RECIPROCAL_FILE(MARK_RECIPROCAL_FILE)
  ) connection_aimd (
    .clk(clk),
    .read_index(connection_index_6),
    .open(open_connection_7),
    .ack(ack_7),
    .index(connection_index_7),
    .now(now_7),
    .srtt_ns(srtt_ns_7),
    .acked(acked_7),
    .d_received(d_received_7),
    .d_ce(d_ce_7),
    .window(connection_window_13),
    .alpha(connection_alpha_13)
  );

  mr_delay #(.WIDTH(64), .CYCLES(7)) delay_windows_20 (
    .clk(clk), .d({path_window_13, connection_window_13, path_alpha_13}),
    .q({path_window_20, connection_window_20, path_alpha_20}));

  // ---------------------------------------------------------------- stage 13: in flight
  wire [15:0] path_in_flight_14, path_in_flight_20;
  wire [23:0] connection_in_flight_14, connection_in_flight_20;
  wire        granted_14, granted_19, granted_20;
  wire        path_full_14, path_full_20;
  wire        connection_full_14, connection_full_20;

  mr_rate_flight #(
    .CONNECTIONS(CONNECTIONS),
    .PATH_CONTEXTS(PATH_CONTEXTS),
    .CONNECTION_BITS(CONNECTION_BITS),
    .PATH_BITS(PATH_BITS)
  ) flight (
    .clk(clk),
    .read_connection(connection_index_12),
    .read_path(path_index_12),
    .open_connection(open_connection_13),
    .open_path(open_path_13),
    .ack(ack_13),
    .send(send_13),
    .connection_index(connection_index_13),
    .path_index(path_index_13),
    .acked(acked_13),
    .path_window(path_window_13),
    .connection_window(connection_window_13),
    .path_in_flight(path_in_flight_14),
    .connection_in_flight(connection_in_flight_14),
    .granted(granted_14),
    .path_full(path_full_14),
    .connection_full(connection_full_14)
  );

  mr_delay #(.WIDTH(1), .CYCLES(5)) delay_granted_19 (.clk(clk), .d(granted_14), .q(granted_19));
  mr_delay #(.WIDTH(43), .CYCLES(6)) delay_flight_20 (
    .clk(clk), .d({path_in_flight_14, connection_in_flight_14, granted_14, path_full_14, connection_full_14}),
    .q({path_in_flight_20, connection_in_flight_20, granted_20, path_full_20, connection_full_20}));

  // ---------------------------------------------------------------- stages 14 to 18: hint, interval
  wire [15:0] cap_15, hint_15;
  wire        illegal_15, illegal_20;
  wire [40:0] interval_19;

  mr_rate_hint #(
    .CONTEXTS(CONNECTIONS),
    .INDEX_BITS(CONNECTION_BITS)
  ) hints (
    .clk(clk),
    .read_index(connection_index_13),
    .open_connection(open_connection_14),
    .ack(ack_14),
    .index(connection_index_14),
    .rate(rate_14),
    .hint_sequence(hint_sequence_14),
    .cap(cap_15),
    .hint(hint_15),
    .illegal(illegal_15)
  );

  mr_rate_interval #(
    .RECIPROCAL_FILE(RATE_RECIPROCAL_FILE)
  ) intervals (
    .clk(clk),
    .cap(cap_15),
    .hint(hint_15),
    .bytes(bytes_17),
    .interval(interval_19)
  );

  mr_delay #(.WIDTH(1), .CYCLES(5)) delay_illegal_20 (.clk(clk), .d(illegal_15), .q(illegal_20));

  // ---------------------------------------------------------------- stage 19: next-eligible time
  wire [57:0] departure_20;

  mr_rate_pace #(
    .CONTEXTS(CONNECTIONS),
    .INDEX_BITS(CONNECTION_BITS)
  ) pace (
    .clk(clk),
    .read_index(connection_index_18),
    .open_connection(open_connection_19),
    .granted(granted_19),
    .index(connection_index_19),
    .now(now_19),
    .interval(interval_19),
    .departure(departure_20)
  );

  // ---------------------------------------------------------------- stage 20: response
  wire       closed = !(open_connection_20 || open_path_20 || ack_20 || send_20);
  wire       shows_path = open_path_20 || ack_20 || send_20;
  wire       shows_connection = open_connection_20 || ack_20 || send_20;
  reg  [2:0] status;

  always @* begin
    status = `MR_RATE_STATUS_DONE;
    if (closed) status = `MR_RATE_STATUS_CLOSED;
    if (granted_20) status = `MR_RATE_STATUS_GRANTED;
    if (path_full_20) status = `MR_RATE_STATUS_PATH_WINDOW;
    if (connection_full_20) status = `MR_RATE_STATUS_CONNECTION_WINDOW;
  end

  // the credit guarantees the room
  wire unused_room;
  wire [$clog2(`MR_RATE_OUTPUT_FIFO_DEPTH + 1)-1:0] unused_response_count;

  mr_fifo #(
    .WIDTH(RESPONSE_BITS),
    .DEPTH(`MR_RATE_OUTPUT_FIFO_DEPTH)
  ) responses (
    .clk(clk),
    .rst(rst),
    .enable(1'b1),
    .s_valid(valid[STAGES]),
    .s_ready(unused_room),
    .s_data({
      op_20,
      connection_20,
      path_20,
      status,
      departure_20,
      shows_path ? path_window_20 : 24'd0,
      shows_connection ? connection_window_20 : 24'd0,
      shows_path ? path_in_flight_20 : 16'd0,
      shows_connection ? connection_in_flight_20 : 24'd0,
      shows_path ? path_alpha_20 : 16'd0
    }),
    .m_valid(m_rsp_valid),
    .m_ready(m_rsp_ready),
    .m_data({
      m_rsp_op, m_rsp_connection, m_rsp_path, m_rsp_status, m_rsp_departure, m_rsp_path_window,
      m_rsp_connection_window, m_rsp_path_in_flight, m_rsp_connection_in_flight, m_rsp_path_alpha
    }),
    .count(unused_response_count)
  );

  // ---------------------------------------------------------------- events and counters
  reg         dbg_valid_reg;
  reg  [ 1:0] dbg_op_reg;
  reg  [23:0] dbg_connection_reg;
  reg  [11:0] dbg_path_reg;
  reg  [ 2:0] dbg_status_reg;
  reg  [34:0] dbg_srtt_reg;
  reg  [33:0] dbg_rttvar_reg;

  assign dbg_update_valid      = dbg_valid_reg;
  assign dbg_update_op         = dbg_op_reg;
  assign dbg_update_connection = dbg_connection_reg;
  assign dbg_update_path       = dbg_path_reg;
  assign dbg_update_status     = dbg_status_reg;
  assign dbg_update_srtt       = dbg_srtt_reg;
  assign dbg_update_rttvar     = dbg_rttvar_reg;

  always @(posedge clk) begin
    dbg_valid_reg      <= valid[STAGES];
    dbg_op_reg         <= op_20;
    dbg_connection_reg <= connection_20;
    dbg_path_reg       <= path_20;
    dbg_status_reg     <= status;
    dbg_srtt_reg       <= shows_path ? srtt_20 : 35'd0;
    dbg_rttvar_reg     <= shows_path ? rttvar_20 : 34'd0;
    if (rst) dbg_valid_reg <= 1'b0;
  end

  mr_counter counter_granted (
    .clk(clk), .rst(rst), .event_in(valid[STAGES] && granted_20), .count(count_granted));
  mr_counter counter_path_window (
    .clk(clk), .rst(rst), .event_in(valid[STAGES] && path_full_20), .count(count_path_window));
  mr_counter counter_connection_window (
    .clk(clk), .rst(rst), .event_in(valid[STAGES] && connection_full_20), .count(count_connection_window));
  mr_counter counter_closed (
    .clk(clk), .rst(rst), .event_in(valid[STAGES] && closed), .count(count_closed));
  mr_counter counter_illegal_rate (
    .clk(clk), .rst(rst), .event_in(valid[STAGES] && illegal_20), .count(count_illegal_rate));
  mr_counter counter_stale_ack (
    .clk(clk), .rst(rst), .event_in(valid[STAGES] && stale_20), .count(count_stale_ack));

endmodule

`default_nettype wire
