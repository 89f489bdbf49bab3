// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_rx_parse: from network beats to headers of good frames, and their payload in the payload buffer (spec: rx.frame,
 * rx.check, rx.parse).
 *
 * A last beat popped from the input FIFO in cycle t has its frame's verdict in cycle t + `MR_RX_PARSE_CYCLES: a good header
 * enters the header FIFO then, another frame counts and leaves no trace. `verdict` of that cycle is, from bit 0: any frame,
 * bad_frame, oversize, not_ours, length_error, checksum_error, crc_error, malformed.
 *
 *   1 beat   2 first beats kept   3 tag off   4 IP header off   5, 6 checks; CRC   7   8 verdict
 */
module mr_rx_parse #(
    parameter ADDRESS_BITS = 8,  // of the payload buffer
    parameter RESIDUE_FILE = "mr_crc_residue.mem"
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire                    enable,         // of cycle t lets s_axis_tready rise in t + 1

    // network
    input  wire                    s_axis_tvalid,
    output wire                    s_axis_tready,
    input  wire [           511:0] s_axis_tdata,
    input  wire [            63:0] s_axis_tkeep,
    input  wire                    s_axis_tlast,
    input  wire                    s_axis_tuser,

    // headers of good frames
    output wire                    header_valid,
    input  wire                    header_ready,
    output wire [           385:0] header_reply,   // see mr_rx_ack
    output wire                    header_ce,
    output wire [           127:0] header_base,
    output wire [           255:0] header_data,

    // payload buffer
    output wire                    write_enable,
    output wire [ADDRESS_BITS-1:0] write_address,
    output wire [           511:0] write_data,
    input  wire [             6:0] moved,          // beats that leave the buffer in this cycle

    // frames and their faults
    output wire [             7:0] verdict
);

  localparam STAGES = 8;
  localparam HEADER_BITS = 386 + 1 + 128 + 256;
  localparam [6:0] MAX_BEATS = `MR_RX_MAX_FRAME_BEATS;
  localparam BEAT_COUNT_BITS = $clog2(`MR_RX_BEAT_FIFO_DEPTH + 1);
  localparam HEADER_COUNT_BITS = $clog2(`MR_RX_HEADER_FIFO_DEPTH + 1);

  initial begin
    if (STAGES != `MR_RX_PARSE_CYCLES) begin
      $display("%m: this parser has %0d stages, the spec wants %0d", STAGES, `MR_RX_PARSE_CYCLES);
      $finish;
    end
    if ((1 << ADDRESS_BITS) != `MR_RX_PAYLOAD_BUFFER_BEATS) begin
      $display("%m: the payload buffer has %0d beats, not 2^%0d", `MR_RX_PAYLOAD_BUFFER_BEATS, ADDRESS_BITS);
      $finish;
    end
  end

  // ---------------------------------------------------------------- stage 1: beats
  wire beat_waits, beat_pops;
  wire [511:0] waiting_data;
  wire [63:0] waiting_keep;
  wire waiting_last, waiting_user;
  wire beat_valid, beat_last, beat_user, beat_has_tag, beat_ipv6;
  wire [511:0] beat_data;
  wire [6:0] beat_index, beat_bytes;

  wire verdict_valid, good;
  wire [6:0] verdict_beats, verdict_payload_beats;
  wire [BEAT_COUNT_BITS-1:0] unused_beat_count;

  mr_fifo #(
      .WIDTH(512 + 64 + 2),
      .DEPTH(`MR_RX_BEAT_FIFO_DEPTH)
  ) beat_fifo (
      .clk    (clk),
      .rst    (rst),
      .enable (enable),
      .s_valid(s_axis_tvalid),
      .s_ready(s_axis_tready),
      .s_data ({s_axis_tdata, s_axis_tkeep, s_axis_tlast, s_axis_tuser}),
      .m_valid(beat_waits),
      .m_ready(beat_pops),
      .m_data ({waiting_data, waiting_keep, waiting_last, waiting_user}),
      .count  (unused_beat_count)
  );

  mr_rx_pop intake (
      .clk                  (clk),
      .rst                  (rst),
      .s_valid              (beat_waits),
      .s_ready              (beat_pops),
      .s_data               (waiting_data),
      .s_keep               (waiting_keep),
      .s_last               (waiting_last),
      .s_user               (waiting_user),
      .moved                (moved),
      .verdict_valid        (verdict_valid),
      .verdict_good         (good),
      .verdict_beats        (verdict_beats),
      .verdict_payload_beats(verdict_payload_beats),
      .header_taken         (header_valid && header_ready),
      .beat_valid           (beat_valid),
      .beat_data            (beat_data),
      .beat_index           (beat_index),
      .beat_last            (beat_last),
      .beat_bytes           (beat_bytes),
      .beat_user            (beat_user)
  );

  // stages that hold the end of a frame: ends[k - 1] is stage k
  wire [STAGES-1:0] ends;

  mr_delay_valid #(
      .CYCLES(STAGES - 1)
  ) end_stages (
      .clk  (clk),
      .rst  (rst),
      .d    (beat_valid && beat_last),
      .stage(ends)
  );

  wire too_long = beat_index == MAX_BEATS;
  wire [12:0] length = {beat_index, 6'd0} + {6'd0, beat_bytes};
  wire [12:0] length_4;
  wire [6:0] beats = too_long ? MAX_BEATS : beat_index + 7'd1;
  wire user_7, too_long_7;

  mr_delay #(.WIDTH(13), .CYCLES(3)) delay_length (.clk(clk), .d(length), .q(length_4));
  mr_delay #(.WIDTH(2), .CYCLES(6)) delay_end (.clk(clk), .d({beat_user, too_long}), .q({user_7, too_long_7}));
  mr_delay #(.WIDTH(7), .CYCLES(7)) delay_beats (.clk(clk), .d(beats), .q(verdict_beats));

  // ---------------------------------------------------------------- stages 2 to 4: headers
  wire [47:0] destination, source;
  wire has_tag, ipv4, ipv6;
  wire [15:0] tag_control;
  wire [319:0] ip;
  wire [63:0] udp;
  wire [127:0] base;
  wire [255:0] data;

  mr_rx_unpack unpack (
      .clk         (clk),
      .beat_valid  (beat_valid),
      .beat_data   (beat_data),
      .beat_index  (beat_index),
      .beat_last   (beat_last),
      .beat_has_tag(beat_has_tag),
      .beat_ipv6   (beat_ipv6),
      .destination (destination),
      .source      (source),
      .has_tag     (has_tag),
      .tag_control (tag_control),
      .ipv4        (ipv4),
      .ipv6        (ipv6),
      .ip          (ip),
      .udp         (udp),
      .base        (base),
      .data        (data)
  );

  // addresses: an IPv4 one in the low 32 bits
  wire [127:0] ip_source = ipv6 ? ip[319-`MR_IPV6_SOURCE_OFFSET-:128] : {96'd0, ip[319-`MR_IPV4_SOURCE_OFFSET-:32]};
  wire [127:0] ip_destination =
      ipv6 ? ip[319-`MR_IPV6_DESTINATION_OFFSET-:128] : {96'd0, ip[319-`MR_IPV4_DESTINATION_OFFSET-:32]};
  wire [1:0] ecn = ipv6 ? ip[319-`MR_IPV6_ECN_OFFSET-:2] : ip[319-`MR_IPV4_ECN_OFFSET-:2];
  wire [385:0] reply = {
    destination, source, has_tag, tag_control, ipv6, ip_source, ip_destination, udp[63-`MR_UDP_SOURCE_PORT_OFFSET-:16]
  };

  // ---------------------------------------------------------------- stages 5 to 7: findings
  wire not_ours_6, length_error_6, checksum_error_6, short_6, malformed_6;
  wire not_ours_7, length_error_7, checksum_error_7, malformed_7;
  wire crc_error_5, crc_error_6, crc_error_7;

  mr_rx_check check (
      .clk           (clk),
      .has_tag       (has_tag),
      .ipv4          (ipv4),
      .ipv6          (ipv6),
      .ip            (ip),
      .udp           (udp),
      .base          (base),
      .data          (data),
      .length        (length_4),
      .not_ours      (not_ours_6),
      .length_error  (length_error_6),
      .checksum_error(checksum_error_6),
      .short_payload (short_6),
      .malformed     (malformed_6)
  );

  mr_rx_crc #(
      .RESIDUE_FILE(RESIDUE_FILE)
  ) crc (
      .clk       (clk),
      .beat_valid(beat_valid),
      .beat_data (beat_data),
      .beat_index(beat_index),
      .beat_last (beat_last),
      .beat_bytes(beat_bytes),
      .has_tag   (beat_has_tag),
      .ipv6      (beat_ipv6),
      .error     (crc_error_5)
  );

  mr_delay #(.WIDTH(1), .CYCLES(1)) delay_crc (.clk(clk), .d(crc_error_5), .q(crc_error_6));
  mr_delay #(.WIDTH(5), .CYCLES(1)) delay_findings (
      .clk(clk), .d({not_ours_6, length_error_6, checksum_error_6, crc_error_6 || short_6, malformed_6}),
      .q({not_ours_7, length_error_7, checksum_error_7, crc_error_7, malformed_7}));

  // ---------------------------------------------------------------- stage 8: the first finding is the verdict
  wire [6:0] findings = {
    malformed_7, crc_error_7, checksum_error_7, length_error_7, not_ours_7, too_long_7, user_7
  };
  reg [7:0] verdict_reg;
  reg good_reg;

  always @(posedge clk) begin
    verdict_reg <= ends[6] ? {findings & ~(findings - 7'd1), 1'b1} : 8'd0;
    good_reg <= ends[6] && findings == 7'd0;
    if (rst) begin
      verdict_reg <= 8'd0;
      good_reg <= 1'b0;
    end
  end

  assign verdict = verdict_reg;
  assign verdict_valid = ends[7];
  assign good = good_reg;

  // headers travel from stage 4 to stage 8
  reg [HEADER_BITS-1:0] header_5_reg, header_6_reg, header_7_reg, header_8_reg;

  always @(posedge clk) begin
    if (ends[3]) header_5_reg <= {reply, ecn == 2'd3, base, data};
    if (ends[4]) header_6_reg <= header_5_reg;
    if (ends[5]) header_7_reg <= header_6_reg;
    if (ends[6]) header_8_reg <= header_7_reg;
  end

  // a good payload has at most 64 beats
  wire [12:0] rounded_bytes = header_8_reg[255-`MR_DATA_PAYLOAD_LENGTH_OFFSET-3-:13] + 13'd63;
  assign verdict_payload_beats = rounded_bytes[12:6];

  wire unused_header_room;
  wire [HEADER_COUNT_BITS-1:0] unused_header_count;
  wire unused = &{
    1'b0, ends[2:0], rounded_bytes[5:0], unused_beat_count, unused_header_room, unused_header_count, ip, udp
  };

  mr_fifo #(
      .WIDTH(HEADER_BITS),
      .DEPTH(`MR_RX_HEADER_FIFO_DEPTH)
  ) header_fifo (
      .clk    (clk),
      .rst    (rst),
      .enable (1'b1),
      .s_valid(good_reg),
      .s_ready(unused_header_room),
      .s_data (header_8_reg),
      .m_valid(header_valid),
      .m_ready(header_ready),
      .m_data ({header_reply, header_ce, header_base, header_data}),
      .count  (unused_header_count)
  );

  mr_rx_align #(
      .ADDRESS_BITS(ADDRESS_BITS)
  ) align (
      .clk          (clk),
      .rst          (rst),
      .beat_valid   (beat_valid),
      .beat_data    (beat_data),
      .beat_index   (beat_index),
      .beat_last    (beat_last),
      .beat_has_tag (beat_has_tag),
      .beat_ipv6    (beat_ipv6),
      .kept_beats   (good_reg ? verdict_payload_beats : 7'd0),
      .write_enable (write_enable),
      .write_address(write_address),
      .write_data   (write_data)
  );

endmodule

`default_nettype wire
