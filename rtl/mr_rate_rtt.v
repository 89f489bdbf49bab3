// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * mr_rate_rtt: smoothed RTT and its variation (spec: rate.ack step 1; RFC 6298 in integers).
 *
 * Stage 4 of mr_rate, one clock: the values after the operation are at the outputs a clock later. No reset: OPEN_PATH
 * writes the context.
 */
module mr_rate_rtt #(
    // path contexts
    parameter CONTEXTS = 16,
    // bits of their index
    parameter INDEX_BITS = 4
) (
    input  wire                  clk,

    // index of the operation that is in this stage in the next clock
    input  wire [INDEX_BITS-1:0] read_index,

    // operation in this stage; rtt in ns, 0 is no sample
    input  wire                  open_path,
    input  wire                  ack,
    input  wire [INDEX_BITS-1:0] index,
    input  wire [          31:0] rtt,

    // after the operation: 2^-3 ns and 2^-2 ns
    output wire [          34:0] srtt,
    output wire [          33:0] rttvar
);

  localparam WIDTH = 1 + 35 + 34;

  wire        stored_valid;
  wire [34:0] stored_srtt;
  wire [33:0] stored_rttvar;

  reg         valid_next;
  reg  [34:0] srtt_next, srtt_reg;
  reg  [33:0] rttvar_next, rttvar_reg;

  // error = rtt - floor(srtt / 8), signed
  wire [32:0] error = {1'b0, rtt} - {1'b0, stored_srtt[34:3]};
  wire [31:0] error_size = error[32] ? stored_srtt[34:3] - rtt : error[31:0];

  assign srtt   = srtt_reg;
  assign rttvar = rttvar_reg;

  mr_context_ram #(
    .WIDTH(WIDTH),
    .DEPTH(CONTEXTS),
    .ADDRESS_BITS(INDEX_BITS)
  ) contexts (
    .clk(clk),
    .read_address(read_index),
    .read_data({stored_valid, stored_srtt, stored_rttvar}),
    .write_enable(open_path || ack),
    .write_address(index),
    .write_data({valid_next, srtt_next, rttvar_next})
  );

  always @* begin
    valid_next  = stored_valid;
    srtt_next   = stored_srtt;
    rttvar_next = stored_rttvar;
    if (open_path) begin
      valid_next  = 1'b0;
      srtt_next   = 35'd0;
      rttvar_next = 34'd0;
    end else if (ack && rtt != 32'd0) begin
      valid_next = 1'b1;
      if (stored_valid) begin
        srtt_next   = stored_srtt + {{2{error[32]}}, error};
        rttvar_next = stored_rttvar - {2'b00, stored_rttvar[33:2]} + {2'b00, error_size};
      end else begin
        srtt_next   = {rtt, 3'b000};
        rttvar_next = {1'b0, rtt, 1'b0};
      end
    end
  end

  always @(posedge clk) begin
    srtt_reg   <= srtt_next;
    rttvar_reg <= rttvar_next;
  end

endmodule

`default_nettype wire
