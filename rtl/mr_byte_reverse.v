// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * mr_byte_reverse: byte 0 of a bus (bits 7..0) becomes its most significant byte, and so on: from the order of a stream,
 * byte 0 lowest, to that of a header, first bit highest, or back. Wires only.
 */
module mr_byte_reverse #(
    parameter BYTES = 64  // at least 1
) (
    input  wire [8*BYTES-1:0] d,
    output wire [8*BYTES-1:0] q
);

  genvar g;
  generate
    for (g = 0; g < BYTES; g = g + 1) begin : bytes
      assign q[8*g+:8] = d[8*(BYTES-1-g)+:8];
    end
  endgenerate

endmodule

`default_nettype wire
