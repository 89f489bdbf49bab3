// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Context RAM for a one-cycle read-modify-write loop at one operation a clock, the same context every clock included.
 *
 *   cycle c      read_address
 *   cycle c + 1  read_data is the context as all earlier operations left it; in this same cycle the user computes the
 *                new value and gives write_enable, write_address and write_data
 *   cycle c + 2  (inside) the memory is written
 * The memory is late for the operation right behind and for the one after it, so both get the value forwarded.
 * Whether to forward is decided in the cycle of read_address: it costs one 3:1 multiplexer in front of read_data.
 *
 * Contents are not reset: an init sweep (mr_sweep) writes through the same port (spec: cycle.reset).
 */
module mr_context_ram #(
    parameter WIDTH        = 8,   // bits of a context
    parameter DEPTH        = 16,  // contexts
    parameter ADDRESS_BITS = 4    // bits of an address; 1 for a single context
) (
    input  wire                    clk,
    // cycle c
    input  wire [ADDRESS_BITS-1:0] read_address,
    // cycle c + 1
    output wire [       WIDTH-1:0] read_data,
    input  wire                    write_enable,
    input  wire [ADDRESS_BITS-1:0] write_address,
    input  wire [       WIDTH-1:0] write_data
);

  initial begin
    if (WIDTH < 1 || ADDRESS_BITS < 1 || DEPTH < 1 || DEPTH > (1 << ADDRESS_BITS)) begin
      $display("%m: WIDTH %0d, or DEPTH %0d with ADDRESS_BITS %0d", WIDTH, DEPTH, ADDRESS_BITS);
      $finish;
    end
  end

  reg [ADDRESS_BITS-1:0] address_reg;
  reg [WIDTH-1:0] data_reg, late_data_reg;
  reg write_reg, forward_reg, forward_late_reg;
  wire [WIDTH-1:0] stored;

  mr_ram #(
      .WIDTH       (WIDTH),
      .ADDRESS_BITS(ADDRESS_BITS)
  ) memory (
      .clk          (clk),
      .write_enable (write_reg),
      .write_address(address_reg),
      .write_data   (data_reg),
      .read_address (read_address),
      .read_data    (stored)
  );

  assign read_data = forward_reg ? data_reg : forward_late_reg ? late_data_reg : stored;

  always @(posedge clk) begin
    forward_reg <= write_enable && write_address == read_address;
    forward_late_reg <= write_reg && address_reg == read_address;

    write_reg <= write_enable;
    address_reg <= write_address;
    data_reg <= write_data;
    late_data_reg <= data_reg;
  end

endmodule

`default_nettype wire
