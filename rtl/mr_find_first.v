// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * First set bit of a vector, lowest index first, as a tree of two levels.
 *
 * Level 1: in each group of GROUP bits, is there one, and where. Level 2: the first such group, and its position.
 * Latency 2 cycles, one vector a clock. found is 0 and position meaningless where no bit is set.
 */
module mr_find_first #(
    parameter WIDTH = 256,  // bits, a multiple of GROUP and a power of two
    parameter GROUP = 16    // bits of a group, a power of two, at least 2
) (
    input  wire                     clk,
    input  wire [        WIDTH-1:0] vector,
    output wire                     found,
    output wire [$clog2(WIDTH)-1:0] position
);

  localparam GROUPS = WIDTH / GROUP;
  localparam GROUP_LOG = $clog2(GROUP);
  localparam GROUPS_LOG = $clog2(GROUPS);

  initial begin
    if (GROUP < 2 || GROUPS < 2 || GROUPS * GROUP != WIDTH || (WIDTH & (WIDTH - 1)) != 0) begin
      $display("%m: WIDTH %0d, GROUP %0d: want two powers of two and at least two groups", WIDTH, GROUP);
      $finish;
    end
  end

  // Index of the lowest set bit: bit j of the index is set where the isolated bit is among those with that weight.
  wire [GROUPS-1:0] any_next;
  wire [GROUPS*GROUP_LOG-1:0] within_next;
  reg [GROUPS-1:0] any_reg;
  reg [GROUPS*GROUP_LOG-1:0] within_reg;

  genvar g;
  generate
    for (g = 0; g < GROUPS; g = g + 1) begin : group
      mr_lowest_bit #(
          .LOG(GROUP_LOG)
      ) lowest (
          .vector(vector[g*GROUP+:GROUP]),
          .any   (any_next[g]),
          .index (within_next[g*GROUP_LOG+:GROUP_LOG])
      );
    end
  endgenerate

  wire any_group;
  wire [GROUPS_LOG-1:0] first_group;
  reg found_reg;
  reg [GROUPS_LOG+GROUP_LOG-1:0] position_reg;

  mr_lowest_bit #(
      .LOG(GROUPS_LOG)
  ) lowest_group (
      .vector(any_reg),
      .any   (any_group),
      .index (first_group)
  );

  always @(posedge clk) begin
    any_reg <= any_next;
    within_reg <= within_next;
    found_reg <= any_group;
    position_reg <= {first_group, within_reg[first_group*GROUP_LOG+:GROUP_LOG]};
  end

  assign found = found_reg;
  assign position = position_reg;

endmodule

`default_nettype wire
