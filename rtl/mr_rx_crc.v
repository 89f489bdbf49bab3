// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_rx_crc: checks the CRC of a frame's UDP payload, its trailer included (spec: rx.check).
 *
 * Nothing is realigned. A beat goes into the CRC register whole, with the bytes before the UDP payload zeroed: from a
 * register that is 0 they leave it 0. The register's true initial value, all ones, is XORed onto the first four bytes of the
 * payload instead. The bytes behind the end are 0 and do go through the register, so that it must end at the residue of that
 * many zeros, which is read from a table.
 * For a frame whose last beat is at the inputs in cycle c, `error` is there in cycle c + 4. A payload below 4 bytes is not
 * judged here (the parser's lengths make it an error).
 */
module mr_rx_crc #(
    // `MR_TABLE_CRC_RESIDUE_ENTRIES words of 32 bits
    parameter RESIDUE_FILE = "mr_crc_residue.mem"
) (
    input  wire         clk,

    // beat, see mr_rx_pop
    input  wire         beat_valid,
    input  wire [511:0] beat_data,
    input  wire [  6:0] beat_index,
    input  wire         beat_last,
    input  wire [  6:0] beat_bytes,
    // of the frame, also on its first beat
    input  wire         has_tag,
    input  wire         ipv6,

    output wire         error
);

  // first byte of the UDP payload, by family and tag
  localparam START_4 = `MR_ETHERNET_BYTES + `MR_IPV4_BYTES + `MR_UDP_BYTES;
  localparam START_6 = `MR_ETHERNET_BYTES + `MR_IPV6_BYTES + `MR_UDP_BYTES;
  // of the 128 bytes of the first two beats: the payload, and its first four bytes
  localparam [127:0] ALL = {128{1'b1}};
  localparam [127:0] PAYLOAD_4 = ALL << START_4;
  localparam [127:0] PAYLOAD_6 = ALL << START_6;
  localparam [127:0] INITIAL_4 = 128'd15 << START_4;
  localparam [127:0] INITIAL_6 = 128'd15 << START_6;

  wire [127:0] payload_untagged = ipv6 ? PAYLOAD_6 : PAYLOAD_4;
  wire [127:0] initial_untagged = ipv6 ? INITIAL_6 : INITIAL_4;
  wire [127:0] payload = has_tag ? payload_untagged << `MR_VLAN_BYTES : payload_untagged;
  wire [127:0] initially = has_tag ? initial_untagged << `MR_VLAN_BYTES : initial_untagged;
  wire         first = beat_index == 7'd0;
  wire         second = beat_index == 7'd1;
  wire [ 63:0] keep = first ? payload[63:0] : second ? payload[127:64] : {64{1'b1}};
  wire [ 63:0] invert = first ? initially[63:0] : second ? initially[127:64] : 64'd0;
  wire [511:0] keep_mask, invert_mask;

  mr_byte_mask #(.BYTES(64)) keep_bytes (.enable(keep), .mask(keep_mask));
  mr_byte_mask #(.BYTES(64)) invert_bytes (.enable(invert), .mask(invert_mask));

  // c + 1: payload bytes; c + 2: their share; c + 3: the register; c + 4: the comparison
  reg          valid_1_reg, valid_2_reg;
  reg          first_1_reg, first_2_reg;
  reg  [511:0] data_reg;
  reg  [ 31:0] share_reg, crc_reg;
  reg          error_reg;
  wire [ 31:0] share, carried, residue;
  wire [  5:0] zeros_2;

  mr_crc32_matrix #(.DATA_BITS(512)) data_share (.data(data_reg), .crc(share));
  mr_crc32_matrix #(.DATA_BITS(32), .TRAILING_BITS(480)) register_share (.data(crc_reg), .crc(carried));

  // behind a last beat without bytes none is missing
  mr_delay #(.WIDTH(6), .CYCLES(2)) delay_zeros (.clk(clk), .d(6'd0 - beat_bytes[5:0]), .q(zeros_2));

  mr_rom #(
      .WIDTH(`MR_TABLE_CRC_RESIDUE_BITS),
      .DEPTH(`MR_TABLE_CRC_RESIDUE_ENTRIES),
      .ADDRESS_BITS(6),
      .FILE(RESIDUE_FILE)
  ) residues (
      .clk(clk),
      .address(zeros_2),
      .data(residue)
  );

  always @(posedge clk) begin
    valid_1_reg <= beat_valid && !(beat_last && beat_bytes == 7'd0);
    valid_2_reg <= valid_1_reg;
    first_1_reg <= first;
    first_2_reg <= first_1_reg;
    if (beat_valid) data_reg <= (beat_data & keep_mask) ^ invert_mask;
    if (valid_1_reg) share_reg <= share;
    if (valid_2_reg) crc_reg <= first_2_reg ? share_reg : share_reg ^ carried;
    error_reg <= crc_reg != residue;
  end

  assign error = error_reg;

endmodule

`default_nettype wire
