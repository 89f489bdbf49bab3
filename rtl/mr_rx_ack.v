// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_rx_ack: builds ACK frames (spec: rx.ack).
 *
 * The oldest entry starts in cycle t if its frame's beats will have room in the output FIFO and the frame before has had its
 * turn; beat i enters the output FIFO in cycle t + `MR_RX_ACK_CYCLES + i. The connection's entry is read at the start.
 * reply is {destination, source, has_tag, tag_control, ipv6, IP source, IP destination, UDP source port} of the triggering
 * frame, an IPv4 address in the low 32 bits of its 128.
 *
 *   1 entry   2 base and ACK header   3 CRC, IPv4 sum   4 UDP datagram   5 IP packet   6 frame   7 frame being sent   8 beat
 */
module mr_rx_ack (
    input  wire         clk,
    input  wire         rst,

    // ACK FIFO
    input  wire         ack_valid,
    output wire         ack_ready,
    input  wire [385:0] ack_reply,
    input  wire [ 11:0] ack_path,
    input  wire [  3:0] ack_epoch,
    input  wire [ 31:0] ack_trigger,
    input  wire [ 31:0] ack_stamp,
    input  wire [ 15:0] ack_flags,
    input  wire [ 31:0] ack_arrival,          // cycle in which its header was admitted
    input  wire [ 31:0] ack_cumulative,
    input  wire [ 31:0] ack_received,
    input  wire [ 31:0] ack_ce_marked,
    input  wire [255:0] ack_vector,

    // this cycle, mod 2^32
    input  wire [ 31:0] cycle,

    // connection's entry, in the cycle after the start
    input  wire [ 23:0] table_peer_connection,
    input  wire [ 15:0] table_hint,
    input  wire [ 15:0] table_hint_sequence,
    input  wire [ 15:0] table_credit,

    // network
    output wire         m_axis_tvalid,
    input  wire         m_axis_tready,
    output wire [511:0] m_axis_tdata,
    output wire [ 63:0] m_axis_tkeep,
    output wire         m_axis_tlast
);

  localparam STAGES = 8;
  localparam MESSAGE_BYTES = `MR_BASE_BYTES + `MR_ACK_BYTES;
  localparam DATAGRAM_BYTES = `MR_UDP_BYTES + MESSAGE_BYTES + `MR_TRAILER_BYTES;
  localparam PACKET_BYTES = `MR_IPV6_BYTES + DATAGRAM_BYTES;
  localparam FRAME_BYTES = `MR_ETHERNET_BYTES + `MR_VLAN_BYTES + PACKET_BYTES;
  // frames by IP version and tag; the beats do not depend on the tag
  localparam FRAME_4 = `MR_ETHERNET_BYTES + `MR_IPV4_BYTES + DATAGRAM_BYTES;
  localparam FRAME_6 = `MR_ETHERNET_BYTES + `MR_IPV6_BYTES + DATAGRAM_BYTES;
  localparam FRAME_4_TAG = FRAME_4 + `MR_VLAN_BYTES;
  localparam FRAME_6_TAG = FRAME_6 + `MR_VLAN_BYTES;
  localparam integer COUNT_4 = (FRAME_4 + 63) / 64;
  localparam integer COUNT_6 = (FRAME_6 + 63) / 64;
  localparam [1:0] BEATS_4 = COUNT_4[1:0];
  localparam [1:0] BEATS_6 = COUNT_6[1:0];
  localparam [63:0] KEEP = {64{1'b1}};
  localparam [63:0] KEEP_4 = ~(KEEP << FRAME_4 % 64);
  localparam [63:0] KEEP_6 = ~(KEEP << FRAME_6 % 64);
  localparam [63:0] KEEP_4_TAG = ~(KEEP << FRAME_4_TAG % 64);
  localparam [63:0] KEEP_6_TAG = ~(KEEP << FRAME_6_TAG % 64);

  localparam [15:0] IPV4_LENGTH = `MR_IPV4_BYTES + DATAGRAM_BYTES;
  localparam [15:0] UDP_LENGTH = DATAGRAM_BYTES;
  localparam [7:0] PROTOCOL_UDP = 8'd17;

  localparam OUTPUT_BITS = $clog2(`MR_RX_AXIS_FIFO_DEPTH + 1);
  localparam [OUTPUT_BITS-1:0] OWED_LIMIT = `MR_RX_AXIS_FIFO_DEPTH - 3;  // room for the longest frame

  initial begin
    if (STAGES != `MR_RX_ACK_CYCLES || FRAME_BYTES > 3 * 64 || FRAME_6_TAG / 64 != FRAME_6 / 64
        || FRAME_4_TAG / 64 != FRAME_4 / 64) begin
      $display("%m: %0d stages and a frame of %0d bytes do not fit the spec", STAGES, FRAME_BYTES);
      $finish;
    end
  end

  // ---------------------------------------------------------------- start
  wire [STAGES-1:0] stage;
  reg [OUTPUT_BITS-1:0] owed_reg;  // beats of started frames that have not been taken
  reg [1:0] wait_reg;
  reg room_reg;
  wire [1:0] beats = ack_reply[272] ? BEATS_6 : BEATS_4;
  wire start = ack_valid && room_reg && wait_reg == 2'd0;
  wire taken = m_axis_tvalid && m_axis_tready;
  wire [OUTPUT_BITS-1:0] owed_next = owed_reg
      + (start ? {{(OUTPUT_BITS - 2) {1'b0}}, beats} : {OUTPUT_BITS{1'b0}}) - {{(OUTPUT_BITS - 1) {1'b0}}, taken};

  assign ack_ready = start;

  always @(posedge clk) begin
    owed_reg <= owed_next;
    room_reg <= owed_next <= OWED_LIMIT;
    if (start) wait_reg <= beats - 2'd1;
    else if (wait_reg != 2'd0) wait_reg <= wait_reg - 2'd1;
    if (rst) begin
      owed_reg <= {OUTPUT_BITS{1'b0}};
      room_reg <= 1'b1;
      wait_reg <= 2'd0;
    end
  end

  // stage[k] marks a frame in stage k
  mr_delay_valid #(
      .CYCLES(STAGES - 1)
  ) stages (
      .clk  (clk),
      .rst  (rst),
      .d    (start),
      .stage(stage)
  );

  // ---------------------------------------------------------------- 1: entry
  reg [385:0] reply_1_reg;
  reg [11:0] path_reg;
  reg [3:0] epoch_reg;
  reg [31:0] trigger_reg, stamp_reg, held_reg, cumulative_reg, received_reg, ce_marked_reg;
  reg [15:0] flags_reg;
  reg [255:0] vector_reg;

  always @(posedge clk) begin
    if (stage[0]) begin
      reply_1_reg <= ack_reply;
      path_reg <= ack_path;
      epoch_reg <= ack_epoch;
      trigger_reg <= ack_trigger;
      stamp_reg <= ack_stamp;
      held_reg <= cycle - ack_arrival;
      cumulative_reg <= ack_cumulative;
      received_reg <= ack_received;
      ce_marked_reg <= ack_ce_marked;
      flags_reg <= ack_flags;
      vector_reg <= ack_vector;
    end
  end

  // ---------------------------------------------------------------- 2: base and ACK header
  wire [15:0] hold = held_reg[31:16] != 16'd0 ? 16'hFFFF : held_reg[15:0];
  reg [385:0] reply_2_reg;
  reg [8*MESSAGE_BYTES-1:0] message_2_reg;

  always @(posedge clk) begin
    if (stage[1]) begin
      reply_2_reg <= reply_1_reg;
      message_2_reg <= {
        `MR_WIRE_VERSION, `MR_PACKET_TYPE_ACK, 8'd0, path_reg, epoch_reg, table_peer_connection, 8'd0, cumulative_reg,
        stamp_reg,
        trigger_reg, hold, `MR_SACK_OFFSET, flags_reg, table_credit, received_reg, ce_marked_reg, table_hint,
        table_hint_sequence, vector_reg
      };
    end
  end

  // ---------------------------------------------------------------- 3: CRC, sum of the IPv4 header
  wire [8*MESSAGE_BYTES-1:0] message_bytes;
  wire [31:0] crc_register;
  wire [31:0] source_2 = reply_2_reg[47:16];
  wire [31:0] destination_2 = reply_2_reg[175:144];
  reg [385:0] reply_3_reg;
  reg [8*MESSAGE_BYTES-1:0] message_3_reg;
  reg [31:0] crc_3_reg;
  reg [19:0] sum_3_reg;

  // IPv4 header up to its addresses, checksum 0
  localparam [95:0] IPV4_FIXED = {
    4'd4, 4'd5, `MR_ACK_DSCP, 2'd0, IPV4_LENGTH, 16'd0, 3'b010, 13'd0, `MR_ACK_TTL, PROTOCOL_UDP, 16'd0
  };
  localparam [19:0] FIXED_SUM = {4'd0, IPV4_FIXED[95:80]} + {4'd0, IPV4_FIXED[79:64]} + {4'd0, IPV4_FIXED[63:48]}
      + {4'd0, IPV4_FIXED[47:32]} + {4'd0, IPV4_FIXED[31:16]};

  mr_byte_reverse #(.BYTES(MESSAGE_BYTES)) message_order (.d(message_2_reg), .q(message_bytes));

  // the register starts at all ones: the first four bytes inverted
  mr_crc32_matrix #(.DATA_BITS(8 * MESSAGE_BYTES)) message_crc (
      .data({message_bytes[8*MESSAGE_BYTES-1:32], ~message_bytes[31:0]}), .crc(crc_register));

  always @(posedge clk) begin
    if (stage[2]) begin
      reply_3_reg <= reply_2_reg;
      message_3_reg <= message_2_reg;
      crc_3_reg <= ~crc_register;
      sum_3_reg <= FIXED_SUM + {4'd0, source_2[31:16]} + {4'd0, source_2[15:0]} + {4'd0, destination_2[31:16]}
          + {4'd0, destination_2[15:0]};
    end
  end

  // ---------------------------------------------------------------- 4: UDP datagram, checksum
  wire [16:0] folded = {1'b0, sum_3_reg[15:0]} + {13'd0, sum_3_reg[19:16]};
  reg [385:0] reply_4_reg;
  reg [8*DATAGRAM_BYTES-1:0] datagram_4_reg;
  reg [15:0] checksum_4_reg;

  always @(posedge clk) begin
    if (stage[3]) begin
      reply_4_reg <= reply_3_reg;
      // the CRC goes out least significant byte first
      datagram_4_reg <= {
        reply_3_reg[15:0], `MR_UDP_PORT, UDP_LENGTH, 16'd0, message_3_reg,
        crc_3_reg[7:0], crc_3_reg[15:8], crc_3_reg[23:16], crc_3_reg[31:24]
      };
      checksum_4_reg <= ~(folded[15:0] + {15'd0, folded[16]});
    end
  end

  // ---------------------------------------------------------------- 5: IP packet, addresses swapped
  wire [127:0] ip_source = reply_4_reg[143:16];
  wire [127:0] ip_destination = reply_4_reg[271:144];
  reg [112:0] link_5_reg;  // addresses and tag of the triggering frame
  reg ipv6_5_reg;
  reg [8*PACKET_BYTES-1:0] packet_5_reg;

  always @(posedge clk) begin
    if (stage[4]) begin
      {link_5_reg, ipv6_5_reg} <= reply_4_reg[385:272];
      packet_5_reg <= reply_4_reg[272]
          ? {4'd6, `MR_ACK_DSCP, 2'd0, 20'd0, UDP_LENGTH, PROTOCOL_UDP, `MR_ACK_TTL, ip_source, ip_destination, datagram_4_reg}
          : {IPV4_FIXED[95:16], checksum_4_reg, ip_source[31:0], ip_destination[31:0], datagram_4_reg, 160'd0};
    end
  end

  // ---------------------------------------------------------------- 6: frame, 7: what of it is not sent
  wire [47:0] mac_destination, mac_source;
  wire has_tag_5;
  wire [15:0] tag_control;
  wire [15:0] ethertype = ipv6_5_reg ? 16'h86DD : 16'h0800;
  reg has_tag_6_reg, ipv6_6_reg;
  reg [8*FRAME_BYTES-1:0] frame_6_reg;

  assign {mac_destination, mac_source, has_tag_5, tag_control} = link_5_reg;

  always @(posedge clk) begin
    if (stage[5]) begin
      has_tag_6_reg <= has_tag_5;
      ipv6_6_reg <= ipv6_5_reg;
      frame_6_reg <= has_tag_5 ? {mac_source, mac_destination, 16'h8100, tag_control, ethertype, packet_5_reg}
          : {mac_source, mac_destination, ethertype, packet_5_reg, 32'd0};
    end
  end

  localparam SENT_BITS = 3 * 512;
  reg [SENT_BITS-1:0] sent_reg;
  reg [1:0] remaining_reg;
  reg [63:0] last_keep_reg;

  always @(posedge clk) begin
    if (stage[6]) begin
      sent_reg <= {frame_6_reg, {(SENT_BITS - 8 * FRAME_BYTES) {1'b0}}};
      remaining_reg <= ipv6_6_reg ? BEATS_6 : BEATS_4;
      last_keep_reg <= ipv6_6_reg ? (has_tag_6_reg ? KEEP_6_TAG : KEEP_6) : (has_tag_6_reg ? KEEP_4_TAG : KEEP_4);
    end else if (remaining_reg != 2'd0) begin
      sent_reg <= {sent_reg[SENT_BITS-513:0], 512'd0};
      remaining_reg <= remaining_reg - 2'd1;
    end
    if (rst) remaining_reg <= 2'd0;
  end

  // ---------------------------------------------------------------- 8: beat, output FIFO
  wire [511:0] beat_bytes;
  reg beat_valid_reg, beat_last_reg;
  reg [511:0] beat_data_reg;
  reg [63:0] beat_keep_reg;

  mr_byte_reverse #(.BYTES(64)) beat_order (.d(sent_reg[SENT_BITS-1-:512]), .q(beat_bytes));

  always @(posedge clk) begin
    beat_valid_reg <= remaining_reg != 2'd0;
    if (remaining_reg != 2'd0) begin
      beat_data_reg <= beat_bytes;
      beat_keep_reg <= remaining_reg == 2'd1 ? last_keep_reg : KEEP;
      beat_last_reg <= remaining_reg == 2'd1;
    end
    if (rst) beat_valid_reg <= 1'b0;
  end

  wire unused_room;
  wire [OUTPUT_BITS-1:0] unused_count;
  wire unused = &{1'b0, stage[7], unused_room, unused_count, reply_4_reg};

  mr_fifo #(
      .WIDTH(512 + 64 + 1),
      .DEPTH(`MR_RX_AXIS_FIFO_DEPTH)
  ) beat_fifo (
      .clk    (clk),
      .rst    (rst),
      .enable (1'b1),
      .s_valid(beat_valid_reg),
      .s_ready(unused_room),
      .s_data ({beat_data_reg, beat_keep_reg, beat_last_reg}),
      .m_valid(m_axis_tvalid),
      .m_ready(m_axis_tready),
      .m_data ({m_axis_tdata, m_axis_tkeep, m_axis_tlast}),
      .count  (unused_count)
  );

endmodule

`default_nettype wire
