// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_rx_align: cuts a frame's payload out of its beats and writes it to the payload buffer from the frame's first place on.
 *
 * The headers have one of four lengths, so the payload starts at one of four bytes of the second beat. A beat at the inputs
 * in cycle c gives the write of the payload beat that ends in it in cycle c + 5; what the last beat leaves over is written in
 * the cycle after. This is late enough for the verdict on the frame before, which moves the first place, and early enough
 * for that on the frame itself. What is written behind the payload's end is the CRC, and is cut off by mr_rx_move.
 */
module mr_rx_align #(
    parameter ADDRESS_BITS = 8  // of the payload buffer
) (
    input  wire                    clk,
    input  wire                    rst,

    // beat, see mr_rx_pop and mr_rx_unpack
    input  wire                    beat_valid,
    input  wire [           511:0] beat_data,
    input  wire [             6:0] beat_index,
    input  wire                    beat_last,
    input  wire                    beat_has_tag,
    input  wire                    beat_ipv6,

    // verdict of a frame in this cycle: these beats of payload stay
    input  wire [             6:0] kept_beats,

    output wire                    write_enable,
    output wire [ADDRESS_BITS-1:0] write_address,
    output wire [           511:0] write_data
);

  localparam [6:0] MAX_BEATS = `MR_RX_MAX_FRAME_BEATS;
  // bytes of the second beat before the payload
  localparam HEADERS = `MR_ETHERNET_BYTES + `MR_UDP_BYTES + `MR_BASE_BYTES + `MR_DATA_BYTES - 64;
  localparam SKIP_4 = HEADERS + `MR_IPV4_BYTES;
  localparam SKIP_6 = HEADERS + `MR_IPV6_BYTES;
  localparam SKIP_4_TAG = SKIP_4 + `MR_VLAN_BYTES;
  localparam SKIP_6_TAG = SKIP_6 + `MR_VLAN_BYTES;

  // c + 1: this beat, and the one before it
  reg valid_1_reg, last_1_reg, flush_reg;
  reg [6:0] index_1_reg, earlier_index_reg;
  reg [1:0] family_1_reg, earlier_family_reg;
  reg [511:0] data_1_reg, earlier_reg;

  wire joins = valid_1_reg && index_1_reg >= 7'd2 && index_1_reg != MAX_BEATS;
  wire [1023:0] pair = {joins ? data_1_reg : 512'd0, earlier_reg};
  wire unused = &{1'b0, pair};
  reg [511:0] cut;

  always @* begin
    case (earlier_family_reg)
      2'b00:   cut = pair[8*SKIP_4+:512];
      2'b01:   cut = pair[8*SKIP_4_TAG+:512];
      2'b10:   cut = pair[8*SKIP_6+:512];
      default: cut = pair[8*SKIP_6_TAG+:512];
    endcase
  end

  // c + 2: payload beat and its place in the payload
  reg write_reg;
  reg [6:0] place_reg;
  reg [511:0] cut_reg;

  always @(posedge clk) begin
    valid_1_reg <= beat_valid;
    if (beat_valid) begin
      data_1_reg <= beat_data;
      index_1_reg <= beat_index;
      last_1_reg <= beat_last;
      family_1_reg <= {beat_ipv6, beat_has_tag};
    end
    if (valid_1_reg) begin
      earlier_reg <= data_1_reg;
      earlier_index_reg <= index_1_reg;
      earlier_family_reg <= family_1_reg;
    end
    // an over-long frame leaves nothing over: its last place would be one too far
    flush_reg <= valid_1_reg && last_1_reg && index_1_reg != 7'd0 && index_1_reg != MAX_BEATS;
    write_reg <= joins || flush_reg;
    place_reg <= joins ? index_1_reg - 7'd2 : earlier_index_reg - 7'd1;
    cut_reg <= cut;
    if (rst) begin
      valid_1_reg <= 1'b0;
      flush_reg   <= 1'b0;
    end
  end

  // c + 5
  reg [ADDRESS_BITS-1:0] first_reg;
  wire [6:0] place;

  mr_delay #(.WIDTH(1 + 7 + 512), .CYCLES(3)) delay_write (
      .clk(clk), .d({write_reg, place_reg, cut_reg}), .q({write_enable, place, write_data}));

  always @(posedge clk) begin
    first_reg <= first_reg + {{(ADDRESS_BITS - 7) {1'b0}}, kept_beats};
    if (rst) first_reg <= {ADDRESS_BITS{1'b0}};
  end

  assign write_address = first_reg + {{(ADDRESS_BITS - 7) {1'b0}}, place};

endmodule

`default_nettype wire
