// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_rx_pop: takes network beats from the input FIFO when the header FIFO and the payload buffer have room for what may
 * come of them (spec: rx.parse), and counts the beats of the frame.
 *
 * A beat popped in cycle t is at the outputs in t + 1, bytes beyond the end zeroed, byte 0 in bits 7..0. Frames longer than
 * `MR_RX_MAX_FRAME_BEATS are popped to their end without taking more of the buffer, so that they never wedge.
 * Reset empties the buffer's accounts.
 */
module mr_rx_pop (
    input  wire         clk,
    input  wire         rst,

    // input FIFO
    input  wire         s_valid,
    output wire         s_ready,
    input  wire [511:0] s_data,
    input  wire [ 63:0] s_keep,
    input  wire         s_last,
    input  wire         s_user,

    // beats that leave the payload buffer in this cycle
    input  wire [  6:0] moved,
    // verdict of a frame in this cycle: its beats, of which payload_beats stay if it is good
    input  wire         verdict_valid,
    input  wire         verdict_good,
    input  wire [  6:0] verdict_beats,
    input  wire [  6:0] verdict_payload_beats,
    // a header leaves the header FIFO in this cycle
    input  wire         header_taken,

    // popped beat
    output wire         beat_valid,
    output wire [511:0] beat_data,
    // 0, 1, 2 .. of the frame, at most `MR_RX_MAX_FRAME_BEATS
    output wire [  6:0] beat_index,
    output wire         beat_last,
    // of the last beat: bytes in it, 0 .. 64; bad frame
    output wire [  6:0] beat_bytes,
    output wire         beat_user
);

  localparam [6:0] MAX_BEATS = `MR_RX_MAX_FRAME_BEATS;
  localparam BUFFER_BITS = $clog2(`MR_RX_PAYLOAD_BUFFER_BEATS + 1);
  localparam CREDIT_BITS = $clog2(`MR_RX_HEADER_FIFO_DEPTH + 1);
  localparam [BUFFER_BITS-1:0] BUFFER_LIMIT = `MR_RX_PAYLOAD_BUFFER_BEATS;
  localparam [CREDIT_BITS-1:0] CREDIT_LIMIT = `MR_RX_HEADER_FIFO_DEPTH;

  reg [            6:0] index_reg;
  reg [BUFFER_BITS-1:0] buffer_reg;
  reg [CREDIT_BITS-1:0] credits_reg;
  reg                   buffer_room_reg, credit_room_reg;

  reg                   valid_reg, last_reg, user_reg;
  reg [          511:0] data_reg;
  reg [            6:0] beat_index_reg, bytes_reg;

  wire counted = index_reg != MAX_BEATS;
  wire pop = s_valid && credit_room_reg && (buffer_room_reg || !counted);
  wire dropped = verdict_valid && !verdict_good;

  wire [BUFFER_BITS-1:0] buffer_next = buffer_reg
      + {{(BUFFER_BITS - 1) {1'b0}}, pop && counted}
      + {{(BUFFER_BITS - 7) {1'b0}}, verdict_valid && verdict_good ? verdict_payload_beats : 7'd0}
      - {{(BUFFER_BITS - 7) {1'b0}}, verdict_valid ? verdict_beats : 7'd0}
      - {{(BUFFER_BITS - 7) {1'b0}}, moved};
  wire [CREDIT_BITS-1:0] credits_next = credits_reg
      + {{(CREDIT_BITS - 1) {1'b0}}, pop && s_last}
      - {{(CREDIT_BITS - 1) {1'b0}}, dropped}
      - {{(CREDIT_BITS - 1) {1'b0}}, header_taken};

  // s_keep is a thermometer: a binary search finds its height
  wire [31:0] keep_32 = s_keep[31] ? {1'b0, s_keep[62:32]} : {1'b0, s_keep[30:0]};
  wire [15:0] keep_16 = keep_32[15] ? {1'b0, keep_32[30:16]} : {1'b0, keep_32[14:0]};
  wire [ 7:0] keep_8 = keep_16[7] ? {1'b0, keep_16[14:8]} : {1'b0, keep_16[6:0]};
  wire [ 3:0] keep_4 = keep_8[3] ? {1'b0, keep_8[6:4]} : {1'b0, keep_8[2:0]};
  wire [ 5:0] height = {s_keep[31], keep_32[15], keep_16[7], keep_8[3], keep_4[1], keep_4[1] ? keep_4[2] : keep_4[0]};
  wire        unused = &{1'b0, keep_32[31], keep_16[15], keep_8[7], keep_4[3]};

  wire [511:0] mask;

  mr_byte_mask #(
      .BYTES(64)
  ) kept (
      .enable(s_keep),
      .mask  (mask)
  );

  always @(posedge clk) begin
    valid_reg <= pop;
    if (pop) begin
      data_reg <= s_data & mask;
      beat_index_reg <= index_reg;
      last_reg <= s_last;
      bytes_reg <= s_keep[63] ? 7'd64 : {1'b0, height};
      user_reg <= s_user;
      index_reg <= s_last ? 7'd0 : index_reg + {6'd0, counted};
    end
    buffer_reg <= buffer_next;
    buffer_room_reg <= buffer_next < BUFFER_LIMIT;
    credits_reg <= credits_next;
    credit_room_reg <= credits_next < CREDIT_LIMIT;
    if (rst) begin
      valid_reg <= 1'b0;
      index_reg <= 7'd0;
      buffer_reg <= {BUFFER_BITS{1'b0}};
      buffer_room_reg <= 1'b1;
      credits_reg <= {CREDIT_BITS{1'b0}};
      credit_room_reg <= 1'b1;
    end
  end

  assign s_ready = pop;
  assign beat_valid = valid_reg;
  assign beat_data = data_reg;
  assign beat_index = beat_index_reg;
  assign beat_last = last_reg;
  assign beat_bytes = bytes_reg;
  assign beat_user = user_reg;

endmodule

`default_nettype wire
