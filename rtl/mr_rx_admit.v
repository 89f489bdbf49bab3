// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_rx_admit: carries out configuration and lets headers in (spec: rx.configure, rx.admit).
 *
 * Both act on the state of this cycle and on nothing that the other does in it: headers wait while there is configuration.
 * inside counts what was let in and is not finished; only when that is 0 and the reorder buffer is quiet does configuration,
 * or a header beyond its stream's ring, go ahead. A header that must be refused is marked before the SACK unit sees it.
 */
module mr_rx_admit #(
    parameter CONNECTIONS   = 4,
    parameter PATHS         = 4,  // of one connection
    parameter REORDER_DEPTH = 16  // message entries of a stream
) (
    input  wire         clk,
    input  wire         rst,

    // configuration FIFO
    input  wire         cfg_valid,
    output wire         cfg_ready,
    input  wire [  1:0] cfg_op,
    input  wire [ 23:0] cfg_connection,
    input  wire [ 11:0] cfg_path,
    input  wire [ 31:0] cfg_sequence,
    output wire         cfg_ignored,           // counts

    // header FIFO
    input  wire         header_valid,
    output wire         header_ready,
    input  wire [385:0] header_reply,
    input  wire         header_ce,
    input  wire [127:0] header_base,
    input  wire [255:0] header_data,

    // tables
    input  wire         cfg_connection_known,
    input  wire         cfg_connection_open,
    input  wire         cfg_stream_known,
    output wire         open_connection,
    output wire         set_hint,
    output wire         open_stream,
    input  wire         header_connection_open,
    input  wire         header_stream_open,
    input  wire [ 31:0] header_floor,

    // SACK unit
    output wire         sack_valid,
    input  wire         sack_ready,
    output wire [  1:0] sack_op,
    output wire [ 23:0] sack_connection,
    output wire [ 11:0] sack_path,
    output wire [ 31:0] sack_psn,
    output wire         sack_ce,
    output wire         sack_ack_request,
    output wire         sack_tail,
    output wire         sack_refused,

    // reorder buffer: open_stream is its OPEN
    input  wire         rob_ready,
    input  wire         rob_quiet,

    // join FIFO
    output wire         join_valid,
    input  wire         join_ready,
    output wire         join_open,             // a path was opened
    output wire         join_unknown,          // the SACK unit was not asked
    output wire [  7:0] join_reason,
    output wire [385:0] join_reply,
    output wire [127:0] join_base,
    output wire [255:0] join_data,

    // in this cycle one is finished at the join, one by the reorder buffer
    input  wire         join_finished,
    input  wire         rob_finished
);

  localparam [31:0] DEPTH = REORDER_DEPTH;
  // both FIFOs on the way, and what the units in between hold
  localparam INSIDE_BITS = $clog2(
      `MR_RX_JOIN_FIFO_DEPTH + `MR_RX_MOVE_FIFO_DEPTH + `MR_ROB_INPUT_FIFO_DEPTH + `MR_ROB_OUTPUT_FIFO_DEPTH
      + `MR_ROB_PIPELINE_CYCLES + 1);

  localparam PAIR_BITS = CONNECTIONS * PATHS > 1 ? $clog2(CONNECTIONS * PATHS) : 1;

  reg [INSIDE_BITS-1:0] inside_reg;
  reg empty_reg;
  wire drained = empty_reg && rob_quiet;

  // ---------------------------------------------------------------- configuration
  wire cfg_path_known, header_path_known;
  wire [PAIR_BITS-1:0] unused_cfg_index, unused_header_index;
  wire is_connection = cfg_op == `MR_RX_OP_OPEN_CONNECTION;
  wire is_path = cfg_op == `MR_RX_OP_OPEN_PATH;
  wire is_stream = cfg_op == `MR_RX_OP_OPEN_STREAM;
  wire is_hint = cfg_op == `MR_RX_OP_SET_HINT;
  wire cfg_act = cfg_valid && drained && (!is_path || (join_ready && sack_ready)) && (!is_stream || rob_ready);
  wire open_path = cfg_act && is_path && cfg_path_known;

  assign cfg_ready = cfg_act;
  assign open_connection = cfg_act && is_connection && cfg_connection_known;
  assign set_hint = cfg_act && is_hint && cfg_connection_known && cfg_connection_open;
  assign open_stream = cfg_act && is_stream && cfg_stream_known;
  assign cfg_ignored = cfg_act && !(open_connection || open_path || open_stream || set_hint);

  // ---------------------------------------------------------------- admission
  wire [23:0] connection = header_base[127-`MR_BASE_CONNECTION_OFFSET-:24];
  wire [11:0] path = header_base[127-`MR_BASE_PATH_OFFSET-:12];
  wire [31:0] psn = header_base[127-`MR_BASE_PSN_OFFSET-:32];
  wire [7:0] flags = header_base[127-`MR_BASE_FLAGS_OFFSET-:8];
  wire [31:0] message = header_data[255-`MR_DATA_MESSAGE_OFFSET-:32];
  wire [31:0] distance;
  wire behind;
  wire known = header_connection_open && header_path_known;
  wire beyond = header_stream_open && !behind && distance >= DEPTH;
  // the ring may still move on by its depth: into that a message beyond it may come, and out of that one just behind it
  wire soon_beyond = header_stream_open && behind && distance[30:0] < DEPTH[30:0];
  wire held = known && (beyond || soon_beyond) && !drained;
  wire admit = header_valid && !cfg_valid && join_ready && sack_ready && !held;

  mr_seq_before #(
      .WIDTH(32)
  ) message_to_floor (
      .a        (message),
      .b        (header_floor),
      .distance (distance),
      .is_before(behind)
  );

  assign header_ready = admit;
  assign join_reason =
      !header_stream_open ? `MR_REFUSE_REASON_STREAM : beyond ? `MR_REFUSE_REASON_RING : `MR_REFUSE_REASON_NONE;

  // ---------------------------------------------------------------- to the SACK unit and the join
  assign sack_valid = open_path || (admit && known);
  assign sack_op = cfg_valid ? `MR_SACK_OP_OPEN : `MR_SACK_OP_PACKET;
  assign sack_connection = cfg_valid ? cfg_connection : connection;
  assign sack_path = cfg_valid ? cfg_path : path;
  assign sack_psn = cfg_valid ? cfg_sequence : psn;
  assign sack_ce = !cfg_valid && header_ce;
  assign sack_ack_request = !cfg_valid && (flags & `MR_BASE_FLAG_ACK_REQUEST) != 8'd0;
  assign sack_tail = !cfg_valid && (flags & `MR_BASE_FLAG_TAIL) != 8'd0;
  assign sack_refused = !cfg_valid && join_reason != `MR_REFUSE_REASON_NONE;

  assign join_valid = open_path || admit;
  assign join_open = cfg_valid;
  assign join_unknown = !cfg_valid && !known;
  assign join_reply = header_reply;
  // an open travels as a header that has nothing but its path and PSN
  assign join_base[127-`MR_BASE_CONNECTION_OFFSET-:24] = sack_connection;
  assign join_base[127-`MR_BASE_PATH_OFFSET-:12] = sack_path;
  assign join_base[127-`MR_BASE_PSN_OFFSET-:32] = sack_psn;
  assign join_base[127-:16] = header_base[127-:16];
  assign join_base[127-`MR_BASE_EPOCH_OFFSET-:4] = header_base[127-`MR_BASE_EPOCH_OFFSET-:4];
  assign join_base[127-`MR_BASE_OPCODE_OFFSET-:8] = header_base[127-`MR_BASE_OPCODE_OFFSET-:8];
  assign join_base[127-`MR_BASE_STAMP_OFFSET-:32] = header_base[127-`MR_BASE_STAMP_OFFSET-:32];
  assign join_data = header_data;

  mr_context_index #(
      .MAJOR_BITS(24),
      .MINOR_BITS(12),
      .MAJORS(CONNECTIONS),
      .MINORS(PATHS),
      .INDEX_BITS(PAIR_BITS)
  ) cfg_context (
      .major(cfg_connection),
      .minor(cfg_path),
      .index(unused_cfg_index),
      .known(cfg_path_known)
  );

  mr_context_index #(
      .MAJOR_BITS(24),
      .MINOR_BITS(12),
      .MAJORS(CONNECTIONS),
      .MINORS(PATHS),
      .INDEX_BITS(PAIR_BITS)
  ) header_context (
      .major(connection),
      .minor(path),
      .index(unused_header_index),
      .known(header_path_known)
  );

  wire unused = &{1'b0, unused_cfg_index, unused_header_index, header_data};

  // ---------------------------------------------------------------- inside
  wire [INSIDE_BITS-1:0] inside_next = inside_reg
      + {{(INSIDE_BITS - 1) {1'b0}}, admit || open_path || open_stream}
      - {{(INSIDE_BITS - 1) {1'b0}}, join_finished}
      - {{(INSIDE_BITS - 1) {1'b0}}, rob_finished};

  always @(posedge clk) begin
    inside_reg <= inside_next;
    empty_reg  <= inside_next == {INSIDE_BITS{1'b0}};
    if (rst) begin
      inside_reg <= {INSIDE_BITS{1'b0}};
      empty_reg  <= 1'b1;
    end
  end

endmodule

`default_nettype wire
