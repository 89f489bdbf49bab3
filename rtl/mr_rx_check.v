// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_rx_check: the checks of a frame's headers (spec: rx.check), but for those of its end and its CRC.
 *
 * Headers at the inputs in cycle c, findings in cycle c + 2. The findings are independent: their order is decided by the
 * parser. short_payload: the UDP payload has no room for a CRC.
 */
module mr_rx_check (
    input  wire         clk,

    // headers, see mr_rx_unpack
    input  wire         has_tag,
    input  wire         ipv4,
    input  wire         ipv6,
    input  wire [319:0] ip,
    input  wire [ 63:0] udp,
    input  wire [127:0] base,
    input  wire [255:0] data,
    // bytes of the frame
    input  wire [ 12:0] length,

    output wire         not_ours,
    output wire         length_error,
    output wire         checksum_error,
    output wire         short_payload,
    output wire         malformed
);

  localparam [7:0] PROTOCOL_UDP = 8'd17;
  // UDP payload around the message's bytes: headers and CRC
  localparam [16:0] ENVELOPE = `MR_BASE_BYTES + `MR_DATA_BYTES + `MR_TRAILER_BYTES;
  localparam [16:0] UDP_HEADER = `MR_UDP_BYTES;

  // ---------------------------------------------------------------- IP
  wire [ 3:0] ip_version = ip[319-:4];
  wire        ipv4_fragment = ip[319-`MR_IPV4_FLAGS_OFFSET-2] || ip[319-`MR_IPV4_FRAGMENT_OFFSET_OFFSET-:13] != 13'd0;
  wire        ipv4_bad = ip_version != 4'd4 || ip[319-`MR_IPV4_HEADER_WORDS_OFFSET-:4] != 4'd5 || ipv4_fragment
      || ip[319-`MR_IPV4_PROTOCOL_OFFSET-:8] != PROTOCOL_UDP;
  wire        ipv6_bad = ip_version != 4'd6 || ip[319-`MR_IPV6_NEXT_HEADER_OFFSET-:8] != PROTOCOL_UDP;
  wire        port_bad = udp[63-`MR_UDP_DESTINATION_PORT_OFFSET-:16] != `MR_UDP_PORT;

  // ---------------------------------------------------------------- lengths, in bytes; 17 bits hold every sum
  wire [16:0] frame_bytes = {4'd0, length};
  wire [16:0] link_bytes = has_tag ? `MR_ETHERNET_BYTES + `MR_VLAN_BYTES : `MR_ETHERNET_BYTES;
  wire [16:0] ip_bytes = ipv6 ? `MR_IPV6_BYTES : `MR_IPV4_BYTES;
  wire [16:0] total_length = {1'b0, ip[319-`MR_IPV4_TOTAL_LENGTH_OFFSET-:16]};
  wire [16:0] payload_length = {1'b0, ip[319-`MR_IPV6_PAYLOAD_LENGTH_OFFSET-:16]};
  wire [16:0] udp_length = {1'b0, udp[63-`MR_UDP_LENGTH_OFFSET-:16]};
  wire        ipv4_length_bad = total_length + link_bytes != frame_bytes;
  wire        ipv6_length_bad = payload_length + link_bytes + ip_bytes != frame_bytes;
  wire        udp_length_bad = udp_length + link_bytes + ip_bytes != frame_bytes;

  // ---------------------------------------------------------------- IPv4 checksum: one's complement sum of ten words
  reg [19:0] sum_next;
  integer    k;

  always @* begin
    sum_next = 20'd0;
    for (k = 0; k < 10; k = k + 1) sum_next = sum_next + {4'd0, ip[319-16*k-:16]};
  end

  // ---------------------------------------------------------------- base and DATA header
  wire [ 7:0] opcode = base[127-`MR_BASE_OPCODE_OFFSET-:8];
  wire        opcode_good = opcode == `MR_OPCODE_WRITE || opcode == `MR_OPCODE_WRITE_IMM || opcode == `MR_OPCODE_SEND
      || opcode == `MR_OPCODE_SEND_IMM;
  wire [15:0] bytes = data[255-`MR_DATA_PAYLOAD_LENGTH_OFFSET-:16];
  wire [31:0] offset = data[255-`MR_DATA_OFFSET_OFFSET-:32];
  wire [31:0] message_bytes = data[255-`MR_DATA_MESSAGE_LENGTH_OFFSET-:32];
  wire [32:0] end_of_bytes = {1'b0, offset} + {17'd0, bytes};
  wire        base_bad = base[127-`MR_BASE_VERSION_OFFSET-:4] != `MR_WIRE_VERSION
      || base[127-`MR_BASE_TYPE_OFFSET-:4] != `MR_PACKET_TYPE_DATA || !opcode_good;
  wire        bytes_bad = {1'b0, bytes} + ENVELOPE + UDP_HEADER != udp_length || bytes > `MR_MTU_BYTES
      || end_of_bytes > {1'b0, message_bytes};

  // most of the headers is nothing to check
  wire        unused = &{1'b0, ip, udp, base, data};

  // c + 1, c + 2
  reg         ip_bad_reg, length_bad_reg, ipv4_reg, short_reg, malformed_reg;
  reg  [19:0] sum_reg;
  wire [16:0] folded = {1'b0, sum_reg[15:0]} + {13'd0, sum_reg[19:16]};
  wire [15:0] folded_twice = folded[15:0] + {15'd0, folded[16]};
  reg         not_ours_2_reg, length_error_2_reg, checksum_error_2_reg, short_2_reg, malformed_2_reg;

  always @(posedge clk) begin
    ip_bad_reg <= !(ipv4 || ipv6) || (ipv4 && ipv4_bad) || (ipv6 && ipv6_bad) || port_bad;
    length_bad_reg <= (ipv4 && ipv4_length_bad) || (ipv6 && ipv6_length_bad) || udp_length_bad;
    ipv4_reg <= ipv4;
    sum_reg <= sum_next;
    short_reg <= udp_length < UDP_HEADER + 17'd`MR_TRAILER_BYTES;
    malformed_reg <= base_bad || bytes_bad;

    not_ours_2_reg <= ip_bad_reg;
    length_error_2_reg <= length_bad_reg;
    checksum_error_2_reg <= ipv4_reg && folded_twice != 16'hFFFF;
    short_2_reg <= short_reg;
    malformed_2_reg <= malformed_reg;
  end

  assign not_ours = not_ours_2_reg;
  assign length_error = length_error_2_reg;
  assign checksum_error = checksum_error_2_reg;
  assign short_payload = short_2_reg;
  assign malformed = malformed_2_reg;

endmodule

`default_nettype wire
