// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_rom: table read from a $readmemh file, one registered read a clock.
 *
 * data belongs to the address of the cycle before. No reset: the contents are constant and the output register is
 * overwritten every clock.
 */
module mr_rom #(
    // bits of a word
    parameter WIDTH = `MR_TABLE_MARK_RECIPROCAL_BITS,
    // words; a power of two
    parameter DEPTH = 256,
    // bits of the address, log2(DEPTH)
    parameter ADDRESS_BITS = 8,
    // one hexadecimal word a line; DEPTH lines
    parameter FILE = "mr_mark_reciprocal.mem"
) (
    input  wire                    clk,
    input  wire [ADDRESS_BITS-1:0] address,
    output wire [       WIDTH-1:0] data
);

  reg [WIDTH-1:0] memory[0:DEPTH-1];
  reg [WIDTH-1:0] data_reg;

  assign data = data_reg;

  initial begin
    if (DEPTH != (1 << ADDRESS_BITS)) begin
      $display("%m: DEPTH must be 2 to the power of ADDRESS_BITS");
      $finish;
    end
    $readmemh(FILE, memory);
  end

  always @(posedge clk) data_reg <= memory[address];

endmodule

`default_nettype wire
