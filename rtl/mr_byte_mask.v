// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * mr_byte_mask: one enable a byte spread over the byte's bits. Wires only.
 */
module mr_byte_mask #(
    parameter BYTES = 64  // at least 1
) (
    input  wire [  BYTES-1:0] enable,
    output wire [8*BYTES-1:0] mask
);

  genvar g;
  generate
    for (g = 0; g < BYTES; g = g + 1) begin : bytes
      assign mask[8*g+:8] = {8{enable[g]}};
    end
  endgenerate

endmodule

`default_nettype wire
