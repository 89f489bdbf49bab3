// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_rx_unpack: brings the headers of a frame to fixed places, whatever its tag and IP version (spec: rx.frame).
 *
 * The headers lie in the first two beats. For a frame whose last beat is at the inputs in cycle c, the outputs are valid in
 * cycle c + 3, highest bit first in transmission order; bytes beyond the end are 0. has_tag and ipv6 are there from the first
 * beat on, in the same cycle as the beats, for those who work on beats.
 */
module mr_rx_unpack (
    input  wire         clk,

    // beat, see mr_rx_pop
    input  wire         beat_valid,
    input  wire [511:0] beat_data,
    input  wire [  6:0] beat_index,
    input  wire         beat_last,
    output wire         beat_has_tag,
    output wire         beat_ipv6,

    // headers of a frame
    output wire [ 47:0] destination,
    output wire [ 47:0] source,
    output wire         has_tag,
    output wire [ 15:0] tag_control,
    output wire         ipv4,
    output wire         ipv6,
    // IPv4 header in the upper 20 bytes, or IPv6 header
    output wire [319:0] ip,
    output wire [ 63:0] udp,
    output wire [127:0] base,
    output wire [255:0] data
);

  localparam [15:0] ETHERTYPE_TAG = 16'h8100;
  localparam [15:0] ETHERTYPE_IPV4 = 16'h0800;
  localparam [15:0] ETHERTYPE_IPV6 = 16'h86DD;
  localparam UPPER_BYTES = `MR_UDP_BYTES + `MR_BASE_BYTES + `MR_DATA_BYTES;
  localparam BODY_BYTES = `MR_IPV6_BYTES + UPPER_BYTES;

  wire [511:0] beat_ordered;
  wire first = beat_index == 7'd0;
  wire second = beat_index == 7'd1;

  mr_byte_reverse #(.BYTES(64)) order (.d(beat_data), .q(beat_ordered));

  // of the beat itself, if it is the first, else of its frame
  wire [15:0] first_ethertype = beat_ordered[511-`MR_ETHERNET_ETHERTYPE_OFFSET-:16];
  wire [15:0] first_inner_ethertype = beat_ordered[511-8*`MR_ETHERNET_BYTES-`MR_VLAN_ETHERTYPE_OFFSET-:16];
  wire first_has_tag = first_ethertype == ETHERTYPE_TAG;
  wire first_ipv6 = (first_has_tag ? first_inner_ethertype : first_ethertype) == ETHERTYPE_IPV6;
  reg has_tag_reg, ipv6_reg;

  assign beat_has_tag = first ? first_has_tag : has_tag_reg;
  assign beat_ipv6 = first ? first_ipv6 : ipv6_reg;

  // c + 1: the first two beats
  reg [1023:0] window_reg;
  reg end_1_reg;

  always @(posedge clk) begin
    end_1_reg <= beat_valid && beat_last;
    if (beat_valid && first) begin
      window_reg <= {beat_ordered, 512'd0};
      has_tag_reg <= first_has_tag;
      ipv6_reg <= first_ipv6;
    end
    if (beat_valid && second) window_reg[511:0] <= beat_ordered;
  end

  // c + 2: without the tag
  localparam UNTAGGED_BITS = 1024 - 8 * `MR_ETHERNET_BYTES;
  wire [UNTAGGED_BITS-1:0] untagged = window_reg[UNTAGGED_BITS-1:0];
  wire [15:0] outer_ethertype = window_reg[1023-`MR_ETHERNET_ETHERTYPE_OFFSET-:16];
  wire [15:0] inner_ethertype = untagged[UNTAGGED_BITS-1-`MR_VLAN_ETHERTYPE_OFFSET-:16];
  wire tag_present = outer_ethertype == ETHERTYPE_TAG;
  wire unused = &{1'b0, untagged[UNTAGGED_BITS-8*(BODY_BYTES+`MR_VLAN_BYTES)-1:0]};
  reg end_2_reg, has_tag_2_reg;
  reg [47:0] destination_2_reg, source_2_reg;
  reg [15:0] tag_control_2_reg, ethertype_2_reg;
  reg [8*BODY_BYTES-1:0] body_2_reg;

  always @(posedge clk) begin
    end_2_reg <= end_1_reg;
    if (end_1_reg) begin
      destination_2_reg <= window_reg[1023-`MR_ETHERNET_DESTINATION_OFFSET-:48];
      source_2_reg <= window_reg[1023-`MR_ETHERNET_SOURCE_OFFSET-:48];
      has_tag_2_reg <= tag_present;
      tag_control_2_reg <= untagged[UNTAGGED_BITS-1-`MR_VLAN_TAG_CONTROL_OFFSET-:16];
      ethertype_2_reg <= tag_present ? inner_ethertype : outer_ethertype;
      body_2_reg <= tag_present ? untagged[UNTAGGED_BITS-8*`MR_VLAN_BYTES-1-:8*BODY_BYTES] : untagged[UNTAGGED_BITS-1-:8*BODY_BYTES];
    end
  end

  // c + 3: without the IP header
  wire is_ipv6 = ethertype_2_reg == ETHERTYPE_IPV6;
  reg has_tag_3_reg, ipv4_3_reg, ipv6_3_reg;
  reg [47:0] destination_3_reg, source_3_reg;
  reg [15:0] tag_control_3_reg;
  reg [319:0] ip_3_reg;
  reg [8*UPPER_BYTES-1:0] upper_3_reg;

  always @(posedge clk) begin
    if (end_2_reg) begin
      destination_3_reg <= destination_2_reg;
      source_3_reg <= source_2_reg;
      has_tag_3_reg <= has_tag_2_reg;
      tag_control_3_reg <= tag_control_2_reg;
      ipv4_3_reg <= ethertype_2_reg == ETHERTYPE_IPV4;
      ipv6_3_reg <= is_ipv6;
      ip_3_reg <= body_2_reg[8*BODY_BYTES-1-:320];
      upper_3_reg <= is_ipv6 ? body_2_reg[8*UPPER_BYTES-1:0] : body_2_reg[8*(BODY_BYTES-`MR_IPV4_BYTES)-1-:8*UPPER_BYTES];
    end
  end

  assign destination = destination_3_reg;
  assign source = source_3_reg;
  assign has_tag = has_tag_3_reg;
  assign tag_control = tag_control_3_reg;
  assign ipv4 = ipv4_3_reg;
  assign ipv6 = ipv6_3_reg;
  assign ip = ip_3_reg;
  assign {udp, base, data} = upper_3_reg;

endmodule

`default_nettype wire
