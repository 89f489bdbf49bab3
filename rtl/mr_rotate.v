// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Barrel rotate to the right, one 4:1 multiplexer a bit and stage: q[i] = d[(i + amount) mod 2^LOG].
 *
 * Latency LOG / 2 cycles (LOG even), one vector a clock. Most significant digit of amount first.
 */
module mr_rotate #(
    parameter LOG = 8  // log2 of the vector's width, even
) (
    input  wire                clk,
    input  wire [(1<<LOG)-1:0] d,
    input  wire [     LOG-1:0] amount,
    output wire [(1<<LOG)-1:0] q
);

  localparam WIDTH = 1 << LOG;
  localparam STAGES = LOG / 2;

  initial begin
    if (LOG < 2 || LOG % 2 != 0) begin
      $display("%m: LOG is %0d, must be even and at least 2", LOG);
      $finish;
    end
  end

  wire [WIDTH*(STAGES+1)-1:0] vector;
  wire [LOG*(STAGES+1)-1:0] left;  // digits still to do, at the top
  assign vector[WIDTH-1:0] = d;
  assign left[LOG-1:0] = amount;

  genvar s;
  generate
    for (s = 0; s < STAGES; s = s + 1) begin : stage
      localparam STEP = WIDTH >> (2 * s + 2);
      wire [WIDTH-1:0] in = vector[s*WIDTH+:WIDTH];
      wire [LOG-1:0] digits = left[s*LOG+:LOG];
      reg [WIDTH-1:0] vector_reg;
      reg [LOG-1:0] digits_reg;

      always @(posedge clk) begin
        case (digits[LOG-1:LOG-2])
          2'd1: vector_reg <= {in[STEP-1:0], in[WIDTH-1:STEP]};
          2'd2: vector_reg <= {in[2*STEP-1:0], in[WIDTH-1:2*STEP]};
          2'd3: vector_reg <= {in[3*STEP-1:0], in[WIDTH-1:3*STEP]};
          default: vector_reg <= in;
        endcase
        digits_reg <= digits << 2;
      end

      assign vector[(s+1)*WIDTH+:WIDTH] = vector_reg;
      assign left[(s+1)*LOG+:LOG] = digits_reg;
    end
  endgenerate

  assign q = vector[STAGES*WIDTH+:WIDTH];

  wire unused = &{1'b0, left[STAGES*LOG+:LOG]};

endmodule

`default_nettype wire
