// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Serial number comparison, the only place where sequence numbers are compared (spec: seq.compare).
 *
 * distance is (a - b) mod 2^WIDTH; is_before is its sign: a is before b, also at exactly half the range.
 * Combinational.
 */
module mr_seq_before #(
    parameter WIDTH = 32  // width of the sequence numbers, at least 2
) (
    input  wire [WIDTH-1:0] a,
    input  wire [WIDTH-1:0] b,
    output wire [WIDTH-1:0] distance,
    output wire             is_before
);

  initial begin
    if (WIDTH < 2) begin
      $display("%m: WIDTH is %0d, must be at least 2", WIDTH);
      $finish;
    end
  end

  assign distance  = a - b;
  assign is_before = distance[WIDTH-1];

endmodule

`default_nettype wire
