// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_rx_join: one decision a header, in order, when the SACK unit has answered (spec: rx.join).
 *
 * Acts when place, move and ACK FIFO all have room. Combinational between FIFOs, but for dbg_update, which shows the action
 * of the cycle before. The fields of an open are 0 but for connection, path and PSN.
 */
module mr_rx_join (
    input  wire         clk,
    input  wire         rst,

    // join FIFO
    input  wire         join_valid,
    output wire         join_ready,
    input  wire         join_open,
    input  wire         join_unknown,
    input  wire [  7:0] join_reason,
    input  wire [127:0] join_base,
    input  wire [255:0] join_data,

    // SACK unit
    input  wire         sack_valid,
    output wire         sack_ready,
    input  wire [  2:0] sack_class,
    input  wire         sack_ack_now,

    // FIFOs behind: what goes in is the entry of the join FIFO and the SACK unit's answer
    input  wire         place_ready,
    output wire         place_valid,
    input  wire         move_ready,
    output wire         move_valid,
    output wire         move_discard,
    input  wire         ack_ready,
    output wire         ack_valid,
    output wire [ 15:0] ack_flags,

    // nothing more will come of it
    output wire         finished,

    // counts
    output wire         placed,
    output wire         repeated,
    output wire         beyond,
    output wire         refused,
    output wire         unknown,

    // what became of it
    output wire         dbg_update_valid,
    output wire [ 23:0] dbg_update_connection,
    output wire [ 11:0] dbg_update_path,
    output wire [ 31:0] dbg_update_psn,
    output wire [ 15:0] dbg_update_stream,
    output wire [ 31:0] dbg_update_message,
    output wire [  2:0] dbg_update_outcome,
    output wire [  7:0] dbg_update_reason,
    output wire [  2:0] dbg_update_class
);

  wire act = join_valid && (join_unknown || sack_valid) && place_ready && move_ready && ack_ready;
  wire is_new = sack_class == `MR_SACK_CLASS_NEW_IN_ORDER || sack_class == `MR_SACK_CLASS_NEW_OUT_OF_ORDER;
  reg [2:0] outcome;

  always @* begin
    outcome = `MR_RX_OUTCOME_REPEATED;
    if (join_unknown || sack_class == `MR_SACK_CLASS_CLOSED) outcome = `MR_RX_OUTCOME_UNKNOWN;
    else if (join_open) outcome = `MR_RX_OUTCOME_OPENED;
    else if (is_new && join_reason != `MR_REFUSE_REASON_NONE) outcome = `MR_RX_OUTCOME_REFUSED;
    else if (is_new) outcome = `MR_RX_OUTCOME_PLACED;
    else if (sack_class == `MR_SACK_CLASS_BEYOND) outcome = `MR_RX_OUTCOME_BEYOND_WINDOW;
  end

  assign join_ready = act;
  assign sack_ready = act && !join_unknown;

  assign placed = act && outcome == `MR_RX_OUTCOME_PLACED;
  assign repeated = act && outcome == `MR_RX_OUTCOME_REPEATED;
  assign beyond = act && outcome == `MR_RX_OUTCOME_BEYOND_WINDOW;
  assign refused = act && outcome == `MR_RX_OUTCOME_REFUSED;
  assign unknown = act && outcome == `MR_RX_OUTCOME_UNKNOWN;

  assign place_valid = placed;
  assign move_valid = act && !join_open;
  assign move_discard = !placed;
  assign ack_valid = (placed || repeated || beyond || refused) && sack_ack_now;
  assign ack_flags = (beyond ? `MR_ACK_FLAG_OUT_OF_WINDOW : 16'd0) | (repeated ? `MR_ACK_FLAG_DUPLICATE_SEEN : 16'd0)
      | (refused ? {join_reason, 8'd0} | `MR_ACK_FLAG_REFUSED : 16'd0);
  assign finished = act && !placed;

  // ---------------------------------------------------------------- dbg_update
  reg valid_reg;
  reg [23:0] connection_reg;
  reg [11:0] path_reg;
  reg [31:0] psn_reg;
  reg [15:0] stream_reg;
  reg [31:0] message_reg;
  reg [2:0] outcome_reg;
  reg [7:0] reason_reg;
  reg [2:0] class_reg;
  wire unused = &{1'b0, join_base, join_data};

  always @(posedge clk) begin
    valid_reg <= act;
    if (act) begin
      connection_reg <= join_base[127-`MR_BASE_CONNECTION_OFFSET-:24];
      path_reg <= join_base[127-`MR_BASE_PATH_OFFSET-:12];
      psn_reg <= join_base[127-`MR_BASE_PSN_OFFSET-:32];
      stream_reg <= join_open ? 16'd0 : join_data[255-`MR_DATA_STREAM_OFFSET-:16];
      message_reg <= join_open ? 32'd0 : join_data[255-`MR_DATA_MESSAGE_OFFSET-:32];
      outcome_reg <= outcome;
      reason_reg <= refused ? join_reason : `MR_REFUSE_REASON_NONE;
      class_reg <= join_unknown ? `MR_SACK_CLASS_CLOSED : sack_class;
    end
    if (rst) valid_reg <= 1'b0;
  end

  assign dbg_update_valid = valid_reg;
  assign dbg_update_connection = connection_reg;
  assign dbg_update_path = path_reg;
  assign dbg_update_psn = psn_reg;
  assign dbg_update_stream = stream_reg;
  assign dbg_update_message = message_reg;
  assign dbg_update_outcome = outcome_reg;
  assign dbg_update_reason = reason_reg;
  assign dbg_update_class = class_reg;

endmodule

`default_nettype wire
