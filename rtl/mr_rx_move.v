// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_rx_move: hands a placed packet's payload on, one beat a clock, then tells the reorder buffer; drops what was not placed
 * (spec: rx.move).
 *
 * Owns the payload buffer, whose read port looks one beat ahead. moved: beats that leave the buffer in this cycle. The bytes
 * beyond the end of a payload are zeroed here.
 */
module mr_rx_move #(
    parameter ADDRESS_BITS = 8  // of the payload buffer
) (
    input  wire                    clk,
    input  wire                    rst,

    // payload buffer, write side
    input  wire                    write_enable,
    input  wire [ADDRESS_BITS-1:0] write_address,
    input  wire [           511:0] write_data,

    // move FIFO
    input  wire                    move_valid,
    output wire                    move_ready,
    input  wire                    move_discard,
    input  wire [            15:0] move_bytes,     // payload, at most `MR_MTU_BYTES

    // payload FIFO
    output wire                    payload_valid,
    input  wire                    payload_ready,
    output wire [           511:0] payload_data,
    output wire [            63:0] payload_keep,
    output wire                    payload_last,

    // reorder buffer: PACKET of the move FIFO's oldest entry
    output wire                    rob_valid,
    input  wire                    rob_ready,

    output wire [             6:0] moved
);

  // payload beat at the front of the buffer, and its place in its packet
  reg [ADDRESS_BITS-1:0] read_reg;
  reg [6:0] done_reg;

  wire [12:0] rounded = move_bytes[12:0] + 13'd63;
  wire [6:0] beats = rounded[12:6];
  wire empty = beats == 7'd0;
  wire last = empty || done_reg == beats - 7'd1;
  wire [6:0] final_bytes = {1'b0, move_bytes[5:0] - 6'd1} + 7'd1;
  wire unused = &{1'b0, move_bytes[15:13], rounded[5:0]};

  wire discard = move_valid && move_discard;
  wire step = move_valid && !move_discard && (empty || payload_ready) && (!last || rob_ready);
  wire beat = step && !empty;
  wire [ADDRESS_BITS-1:0] read_next = read_reg + {{(ADDRESS_BITS - 7) {1'b0}}, moved};

  wire [511:0] stored, mask;

  assign moved = discard ? beats : {6'd0, beat};
  assign move_ready = discard || (step && last);
  assign rob_valid = step && last;
  assign payload_valid = beat;
  assign payload_last = last;
  assign payload_keep = last ? ~(64'hFFFF_FFFF_FFFF_FFFE << (final_bytes - 7'd1)) : {64{1'b1}};
  assign payload_data = stored & mask;

  mr_byte_mask #(
      .BYTES(64)
  ) kept (
      .enable(payload_keep),
      .mask  (mask)
  );

  mr_ram #(
      .WIDTH       (512),
      .ADDRESS_BITS(ADDRESS_BITS)
  ) payload_buffer (
      .clk          (clk),
      .write_enable (write_enable),
      .write_address(write_address),
      .write_data   (write_data),
      .read_address (read_next),
      .read_data    (stored)
  );

  always @(posedge clk) begin
    read_reg <= read_next;
    if (move_ready) done_reg <= 7'd0;
    else if (beat) done_reg <= done_reg + 7'd1;
    if (rst) begin
      read_reg <= {ADDRESS_BITS{1'b0}};
      done_reg <= 7'd0;
    end
  end

endmodule

`default_nettype wire
