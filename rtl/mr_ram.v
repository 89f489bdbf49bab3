// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Simple dual-port RAM: one write port, one registered read port. A read in the cycle of a write to the same word
 * gives the old value. Contents are not reset.
 */
module mr_ram #(
    parameter WIDTH        = 8,  // bits of a word
    parameter ADDRESS_BITS = 4   // 2^ADDRESS_BITS words
) (
    input  wire                    clk,
    input  wire                    write_enable,
    input  wire [ADDRESS_BITS-1:0] write_address,
    input  wire [       WIDTH-1:0] write_data,
    input  wire [ADDRESS_BITS-1:0] read_address,
    output wire [       WIDTH-1:0] read_data      // one cycle after read_address
);

  reg [WIDTH-1:0] words[0:(1<<ADDRESS_BITS)-1];
  reg [WIDTH-1:0] read_reg;

  always @(posedge clk) begin
    if (write_enable) words[write_address] <= write_data;
    read_reg <= words[read_address];
  end

  assign read_data = read_reg;

endmodule

`default_nettype wire
