// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Event counter, 32 bits, wrapping: an event in cycle t shows from cycle t + 1.
 */
module mr_counter (
    input  wire        clk,
    input  wire        rst,
    input  wire        event_in,
    output wire [31:0] count
);

  reg [31:0] count_reg;

  always @(posedge clk) begin
    if (event_in) count_reg <= count_reg + 1'b1;
    if (rst) count_reg <= 32'd0;
  end

  assign count = count_reg;

endmodule

`default_nettype wire
