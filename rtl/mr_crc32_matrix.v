// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_crc32_matrix: CRC-32 register, from 0, after DATA_BITS of data followed by TRAILING_BITS of zero. Combinational.
 *
 * data bit 0 goes in first; with byte 0 of a packet in bits 7..0 this is the order of IEEE 802.3. The register is linear in
 * the data, so each of its bits is the parity of the data bits under a constant mask:
 *   - a register that starts at r instead of 0 is the same as r XORed onto the first 32 data bits;
 *   - the register's way through n zero bits is the matrix of 32 data bits with n - 32 zeros behind them.
 */
module mr_crc32_matrix #(
    parameter DATA_BITS     = 32,  // at least 2
    parameter TRAILING_BITS = 0
) (
    input  wire [DATA_BITS-1:0] data,
    output wire [         31:0] crc
);

  // Data bits that bit i of the register depends on. The last bit in finds the polynomial, each earlier one that, a step on.
  function [DATA_BITS-1:0] mask;
    input integer i;
    integer k;
    reg [31:0] column;
    begin
      column = `MR_CRC32_POLYNOMIAL;
      for (k = 0; k < TRAILING_BITS; k = k + 1) column = {1'b0, column[31:1]} ^ (column[0] ? `MR_CRC32_POLYNOMIAL : 32'd0);
      mask = {DATA_BITS{1'b0}};
      for (k = 0; k < DATA_BITS; k = k + 1) begin
        mask   = {mask[DATA_BITS-2:0], ^(column & (32'd1 << i))};
        column = {1'b0, column[31:1]} ^ (column[0] ? `MR_CRC32_POLYNOMIAL : 32'd0);
      end
    end
  endfunction

  genvar g;
  generate
    for (g = 0; g < 32; g = g + 1) begin : bits
      localparam [DATA_BITS-1:0] MASK = mask(g);
      assign crc[g] = ^(data & MASK);
    end
  endgenerate

endmodule

`default_nettype wire
