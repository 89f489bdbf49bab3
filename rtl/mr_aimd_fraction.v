// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * mr_aimd_fraction: mark fraction of a round without a division (spec: rate.fraction).
 *
 * Three clocks, feed-forward: both counts are shifted until the denominator has at most 8 bits, then multiplied by its
 * reciprocal from a table. No reset.
 */
module mr_aimd_fraction #(
    // 256 words of 25 bits: floor(2^24 / n)
    parameter RECIPROCAL_FILE = "mr_mark_reciprocal.mem"
) (
    input  wire        clk,
    input  wire [15:0] round_received,
    input  wire [15:0] round_ce,
    // 2^-16
    output wire [15:0] fraction
);

  reg  [ 3:0] shift;
  reg  [ 7:0] received_reg;
  reg  [ 7:0] ce_reg;
  reg  [ 7:0] ce_delayed_reg;
  reg  [15:0] fraction_reg;

  wire [15:0] shifted_received = round_received >> shift;
  wire [15:0] shifted_ce = round_ce >> shift;
  wire [24:0] reciprocal;
  wire [32:0] product = ce_delayed_reg * reciprocal;

  // the shift leaves at most 8 bits of the denominator, and the reciprocal has 24 fraction bits of which 16 are kept
  wire        unused = &{1'b0, shifted_received[15:8], product[7:0]};

  assign fraction = fraction_reg;

  // bits of the denominator beyond 8
  always @* begin
    casez (round_received[15:8])
      8'b1???????: shift = 4'd8;
      8'b01??????: shift = 4'd7;
      8'b001?????: shift = 4'd6;
      8'b0001????: shift = 4'd5;
      8'b00001???: shift = 4'd4;
      8'b000001??: shift = 4'd3;
      8'b0000001?: shift = 4'd2;
      8'b00000001: shift = 4'd1;
      default:     shift = 4'd0;
    endcase
  end

  mr_rom #(
    .WIDTH(25),
    .DEPTH(256),
    .ADDRESS_BITS(8),
    .FILE(RECIPROCAL_FILE)
  ) reciprocals (
    .clk(clk),
    .address(received_reg),
    .data(reciprocal)
  );

  always @(posedge clk) begin
    received_reg   <= shifted_received[7:0];
    ce_reg         <= shifted_ce > shifted_received ? shifted_received[7:0] : shifted_ce[7:0];
    ce_delayed_reg <= ce_reg;
    fraction_reg   <= product[32:24] != 9'd0 ? 16'hFFFF : product[23:8];
  end

endmodule

`default_nettype wire
