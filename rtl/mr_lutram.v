// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Simple dual-port distributed RAM: one write port, one asynchronous read port. A write shows in the cycle after.
 * Contents are not reset.
 */
module mr_lutram #(
    parameter WIDTH        = 8,  // bits of a word
    parameter ADDRESS_BITS = 4   // 2^ADDRESS_BITS words
) (
    input  wire                    clk,
    input  wire                    write_enable,
    input  wire [ADDRESS_BITS-1:0] write_address,
    input  wire [       WIDTH-1:0] write_data,
    input  wire [ADDRESS_BITS-1:0] read_address,
    output wire [       WIDTH-1:0] read_data
);

  reg [WIDTH-1:0] words[0:(1<<ADDRESS_BITS)-1];

  always @(posedge clk) if (write_enable) words[write_address] <= write_data;

  assign read_data = words[read_address];

endmodule

`default_nettype wire
