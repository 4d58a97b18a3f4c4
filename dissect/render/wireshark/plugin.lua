-- Everything above was generated: VERSION of the program, LIST (the hash of the list of fields), NAMES (tables of value names), FIELDS (a
-- line for each field: its number, its type, its table of names, its path, what it means).
--
-- It runs in Lua 5.2 (Wireshark 4.2 and before) and in 5.4: what one of them lacks is not used.

if Struct == nil or ProtoExpert == nil then
    return -- not in Wireshark
end

local floor, find, match, sub, format, unpack = math.floor, string.find, string.match, string.sub, string.format, Struct.unpack

local q3 = Proto("q3dissect", "q3dissect")

-- The kinds of values, and what is added to them: see docs/wireshark.md.
local NONE, BOOL, UINT, INT, FLOAT, TEXT = 0, 1, 2, 3, 4, 5
local kinds = { n = NONE, l = NONE, b = BOOL, u = UINT, U = UINT, i = INT, I = INT, f = FLOAT, s = TEXT }

-- Fields by number: the ProtoField (nil for a list, whose elements have its path), type, text for a list, and whether it is the
-- name of another one's value or a pair of an infostring.
local fields, types, labels, named, pairs_of, hide = {}, {}, {}, {}, {}, {}

local make = {
    n = function(abbr, label, doc) return ProtoField.none(abbr, label, doc) end,
    b = function(abbr, label, doc) return ProtoField.bool(abbr, label, base.NONE, nil, nil, doc) end,
    u = function(abbr, label, doc, names) return ProtoField.uint32(abbr, label, base.DEC, names, nil, doc) end,
    i = function(abbr, label, doc, names) return ProtoField.int32(abbr, label, base.DEC, names, nil, doc) end,
    U = function(abbr, label, doc) return ProtoField.uint64(abbr, label, base.DEC, nil, nil, doc) end,
    I = function(abbr, label, doc) return ProtoField.int64(abbr, label, base.DEC, nil, nil, doc) end,
    f = function(abbr, label) return ProtoField.float(abbr, label) end,
    s = function(abbr, label, doc) return ProtoField.string(abbr, label, base.NONE, doc) end,
}

-- The common part of records.
local head = {}
local function common(key, make_field)
    head[key] = make_field("q3dissect." .. key, match(key, "[^.]+$"))
end
for key in string.gmatch("file src dst protocol direction info expert.severity expert.code expert.field expert.message", "%S+") do
    common(key, make.s)
end
for key in string.gmatch("frame demo_message ip_fragments", "%S+") do
    common(key, make.U)
end
for key in string.gmatch("src_port dst_port length captured_length", "%S+") do
    common(key, make.u)
end
common("stream", make.i)
common("expert.bit_offset", make.i)
common("expert", make.n)
common("time", function(abbr, label) return ProtoField.absolute_time(abbr, label, base.UTC) end)
common("time_epoch", function(abbr, label) return ProtoField.relative_time(abbr, label) end)
common("time_relative", function(abbr, label) return ProtoField.relative_time(abbr, label) end)

local all = {}
for _, field in pairs(head) do
    all[#all + 1] = field
end
for id, kind, names, path, doc in string.gmatch(FIELDS, "(%x+) (%a)(%d*) ([^\t\n]+)\t?([^\n]*)\n") do
    id = tonumber(id, 16)
    local label = match(path, "[^.]+%.%d+$") or match(path, "[^.]+$")
    types[id], labels[id] = kind, label
    if kind ~= "l" then
        local values = names ~= "" and NAMES[tonumber(names)] or nil
        named[id] = values ~= nil
        local field = make[kind]("q3dissect." .. path, label, doc ~= "" and doc or nil, values)
        fields[id] = field
        all[#all + 1] = field
    end
    hide[id] = kind == "s" and find(path, "_names?$") ~= nil
    pairs_of[id] = kind == "s" and find(path, "%.pair$") ~= nil
end
q3.fields = all

local severities = {
    { word = "note", value = expert.severity.NOTE },
    { word = "warning", value = expert.severity.WARN },
    { word = "error", value = expert.severity.ERROR },
}
local experts = {}
for _, s in ipairs(severities) do
    s.field = ProtoExpert.new("q3dissect.expert." .. s.word .. "_entry", "q3dissect: " .. s.word, expert.group.PROTOCOL, s.value)
    experts[#experts + 1] = s.field
end
local malformed = ProtoExpert.new("q3dissect.malformed", "Malformed container", expert.group.MALFORMED, expert.severity.ERROR)
local other_list = ProtoExpert.new("q3dissect.other_version", "Of another version of q3dissect", expert.group.PROTOCOL, expert.severity.NOTE)
local left_out = ProtoExpert.new("q3dissect.left_out", "Nodes are left out", expert.group.PROTOCOL, expert.severity.WARN)
experts[#experts + 1] = malformed
experts[#experts + 1] = other_list
experts[#experts + 1] = left_out
q3.experts = experts

-- Lengths in bytes, and the greatest depth of a tree: those of q3dissect have less than twenty.
local HEAD_LEN, NODE_LEN, EXPERT_LEN, DATAGRAM_LEN, MAX_DEPTH = 112, 22, 32, 24, 64

local HEAD = "<c4I2I2I4I4I4I4I4I4I4I4i4I4I4I2I2BBI2I4" .. string.rep("I4", 12)
local SECTIONS = 21 -- position of the first length of a section among the values of HEAD
local directions = { [1] = "client_to_server", [2] = "server_to_client" }
local BILLION = Int64(1000000000)

-- visible returns a text with control characters as \x1b: columns go to terminals.
local function visible(s)
    if find(s, "%c") then
        s = string.gsub(s, "%c", function(c) return format("\\x%02x", string.byte(c)) end)
    end
    return s
end

-- value returns a text as Wireshark can hold it: its strings end at a zero byte.
local function value_of(s)
    if find(s, "\0", 1, true) then
        s = string.gsub(s, "\0", "\226\144\128")
    end
    return s
end

-- nanoseconds returns a time as Wireshark has it.
local function nanoseconds(low, high)
    local t = Int64.new(low, high)
    local s = t / BILLION
    local ns = t - s * BILLION
    if ns < Int64(0) then
        s, ns = s - Int64(1), ns + BILLION
    end
    return NSTime.new(s:tonumber(), ns:tonumber())
end

-- older reports whether version a is older than b; nil: they do not compare.
local function older(a, b)
    local a1, a2, a3 = match(a, "(%d+)%.(%d+)%.(%d+)")
    local b1, b2, b3 = match(b, "(%d+)%.(%d+)%.(%d+)")
    if a1 == nil or b1 == nil or (a1 == b1 and a2 == b2 and a3 == b3) then
        return nil
    end
    for _, p in ipairs({ { a1, b1 }, { a2, b2 }, { a3, b3 } }) do
        local x, y = tonumber(p[1]), tonumber(p[2])
        if x ~= y then
            return x < y
        end
    end
end

-- A container that is being shown: c.h has the values of its head, c.at and c.len the places of its sections.
local NAMES_OF_SECTIONS = {
    "program", "file", "src", "dst", "protocol", "info", "fragments", "experts", "nodes", "texts", "message", "datagrams",
}

local function parse(tvb)
    local size = tvb:len()
    if size < HEAD_LEN then
        return nil, "the head is cut"
    end
    local h = { unpack(HEAD, tvb:raw(0, HEAD_LEN)) }
    if h[1] ~= "q3pd" then
        return nil, "it does not begin with q3pd"
    elseif h[2] ~= 1 then
        return nil, format("version %d of the container is newer than this plug-in", h[2])
    elseif h[3] < HEAD_LEN or h[3] > size then
        return nil, "the head has an impossible length"
    end
    local c = { h = h, at = {}, len = {}, tvb = tvb }
    local at = h[3]
    for i, name in ipairs(NAMES_OF_SECTIONS) do
        local len = h[SECTIONS + i - 1]
        if len > size - at then
            return nil, "the " .. name .. " are longer than the container"
        end
        c.at[name], c.len[name] = at, len
        at = at + len
    end
    return c
end

local function section(c, name)
    if c.len[name] == 0 then
        return ""
    end
    return c.tvb:raw(c.at[name], c.len[name])
end

-- text returns a text of the section texts, or nil if there is no such place.
local function text_at(texts, from, len)
    if from + len > #texts then
        return nil
    end
    return sub(texts, from + 1, from + len)
end

-- common_part adds what all records have, before the protocol's own fields.
local function common_part(c, tree, root, range, shown)
    local h = c.h
    local flags = h[4]
    local function wants(key)
        return shown or tree:referenced(head[key])
    end
    local function add(key, v)
        if wants(key) then
            root:add(head[key], range, v)
        end
    end
    if c.len.file > 0 then add("file", value_of(section(c, "file"))) end
    if floor(flags / 2) % 2 == 1 then
        add("demo_message", UInt64.new(h[6], h[7]) - UInt64(1))
    else
        add("frame", UInt64.new(h[6], h[7]))
    end
    if flags % 2 == 1 and (wants("time") or wants("time_epoch") or wants("time_relative")) then
        local t = nanoseconds(h[8], h[9])
        add("time", t)
        add("time_epoch", t)
        local since = Int64.new(h[8], h[9]) - Int64.new(h[10], h[11])
        add("time_relative", nanoseconds(since:lower(), since:higher()))
    end
    local udp = floor(flags / 4) % 2 == 1
    if c.len.src > 0 then
        add("src", section(c, "src"))
        if udp then add("src_port", h[15]) end
    end
    if c.len.dst > 0 then
        add("dst", section(c, "dst"))
        if udp then add("dst_port", h[16]) end
    end
    add("length", h[13])
    if udp and h[14] < h[13] then add("captured_length", h[14]) end
    local fragments = section(c, "fragments")
    for at = 1, #fragments - 7, 8 do
        local low, high = unpack("<I4I4", fragments, at)
        add("ip_fragments", UInt64.new(low, high))
    end
    if c.len.protocol > 0 then add("protocol", section(c, "protocol")) end
    if h[12] >= 0 and floor(flags / 2) % 2 == 0 then add("stream", h[12]) end
    if directions[h[17]] then add("direction", directions[h[17]]) end
    add("info", value_of(section(c, "info")))
end

-- sources makes a tab of bytes of the message and of each datagram, and returns the message's and the packet's own.
local function sources(c, problem)
    local message, own
    if c.len.message > 0 then
        message = c.tvb:range(c.at.message, c.len.message):bytes():tvb("message")
    end
    local at, stop = c.at.datagrams, c.at.datagrams + c.len.datagrams
    while at < stop do
        if stop - at < DATAGRAM_LEN then
            return message, own, problem("a datagram is cut")
        end
        local low, high, _, _, _, len = unpack("<I4I4I4I4I4I4", c.tvb:raw(at, DATAGRAM_LEN))
        at = at + DATAGRAM_LEN
        if len > stop - at then
            return message, own, problem("a datagram is longer than its section")
        end
        own = nil
        if len > 0 then
            own = c.tvb:range(at, len):bytes():tvb("datagram " .. tostring(UInt64.new(low, high)))
        end
        at = at + len
    end
    return message, own
end

-- expert_part adds the expert entries.
local function expert_part(c, root, range, texts, shown, problem)
    local entries = section(c, "experts")
    if #entries % EXPERT_LEN ~= 0 then
        problem("the expert entries are cut")
    end
    for at = 1, #entries - EXPERT_LEN + 1, EXPERT_LEN do
        local severity, _, _, bit, code_at, code_len, field_at, field_len, text_from, text_len = unpack("<BBI2i4I4I4I4I4I4I4", entries, at)
        local s = severities[severity]
        local code, field, text = text_at(texts, code_at, code_len), text_at(texts, field_at, field_len), text_at(texts, text_from, text_len)
        if s == nil or code == nil or field == nil or text == nil then
            return problem("an expert entry is damaged")
        end
        local item = root
        if shown then
            item = root:add(head["expert"], range)
            item:append_text(": " .. visible(text))
            item:add(head["expert.severity"], range, s.word)
            item:add(head["expert.code"], range, value_of(code))
            if field_len > 0 then item:add(head["expert.field"], range, value_of(field)) end
            item:add(head["expert.bit_offset"], range, bit)
            item:add(head["expert.message"], range, value_of(text))
        end
        item:add_proto_expert_info(s.field, visible(text))
    end
end

-- number returns the value of a number or boolean.
local function number(kind, low, high, nodes, at)
    if kind == "u" then
        return low
    elseif kind == "i" then
        return low < 2147483648 and low or low - 4294967296
    elseif kind == "f" then
        return (unpack("<f", nodes, at + 14))
    elseif kind == "U" then
        return UInt64.new(low, high)
    elseif kind == "I" then
        return Int64.new(low, high)
    end
    return low ~= 0
end

-- unknown adds a field that this plug-in does not have.
local function unknown(parent, range, id, kind, low, high, nodes, at, texts)
    local v = ""
    if kind == BOOL then
        v = low ~= 0 and "true" or "false"
    elseif kind == UINT then
        v = tostring(UInt64.new(low, high))
    elseif kind == INT then
        v = tostring(Int64.new(low, high))
    elseif kind == FLOAT then
        v = format("%g", (unpack("<f", nodes, at + 14)))
    elseif kind == TEXT then
        v = text_at(texts, low, high)
        if v == nil then
            return nil
        end
    elseif kind ~= NONE then
        return nil
    end
    return parent:add(range, format("field %08x: %s", id, visible(v)))
end

-- needed_part adds the nodes that a filter or column needs, without their containers.
local function needed_part(c, tree, root, whole, texts, problem)
    local nodes = section(c, "nodes")
    if #nodes % NODE_LEN ~= 0 then
        problem("the nodes are cut")
    end
    local wanted, deepest = {}, 0
    for at = 1, #nodes - NODE_LEN + 1, NODE_LEN do
        local id, depth, flags = unpack("<I4BB", nodes, at)
        local letter = types[id]
        if depth > deepest or depth > MAX_DEPTH then
            return problem("a node is deeper than its container")
        elseif letter and kinds[letter] ~= flags % 16 then
            return problem("a value has another type than its field")
        end
        deepest = flags % 16 == NONE and depth + 1 or depth
        local want = wanted[id]
        if want == nil then
            want = fields[id] ~= nil and tree:referenced(fields[id])
            wanted[id] = want
        end
        if want and letter == "n" then
            root:add(fields[id], whole)
        elseif want then
            local low, high = unpack("<I4I4", nodes, at + 14)
            if letter == "s" then
                local v = text_at(texts, low, high)
                if v == nil then
                    return problem("a text is outside of the texts")
                end
                root:add(fields[id], whole, value_of(v))
            else
                root:add(fields[id], whole, number(letter, low, high, nodes, at))
            end
        end
    end
end

-- shown_part adds all nodes.
local function shown_part(c, root, whole, texts, message, own, problem)
    local nodes = section(c, "nodes")
    if #nodes % NODE_LEN ~= 0 then
        problem("the nodes are cut")
    end
    local stack, counts, strange = { [0] = root }, {}, 0
    local item, item_id, item_names, item_place -- the last item with a value of its own: what is beneath it goes into its text
    local function label()
        if item == nil then
            return
        elseif item_names then
            item:append_text(" (" .. item_names .. ")" .. item_place)
        elseif item_place ~= "" then
            item:append_text(item_place)
        end
        item = nil
    end
    local message_len, own_len = message and message:len() or 0, own and own:len() or 0
    local deepest = 0
    for at = 1, #nodes - NODE_LEN + 1, NODE_LEN do
        local id, depth, flags, bit, bits, low, high = unpack("<I4BBI4I4I4I4", nodes, at)
        local kind, field, letter = flags % 16, fields[id], types[id]
        if depth > deepest or depth > MAX_DEPTH then
            return problem("a node is deeper than its container")
        elseif letter and kinds[letter] ~= kind then
            return problem("a value has another type than its field")
        end
        local parent, range, place = stack[depth], whole, ""
        if bits > 0 then
            local first, beyond = floor(bit / 8), floor((bit + bits + 7) / 8)
            if flags >= 64 and beyond <= message_len then
                range = message:range(first, beyond - first)
            elseif flags < 64 and beyond <= own_len then
                range = own:range(first, beyond - first)
            end
            place = format("  [%d.%d, %d bits]", first, bit % 8, bits)
        end
        if hide[id] and kind == TEXT then
            local v = text_at(texts, low, high)
            if v == nil then
                return problem("a text is outside of the texts")
            end
            parent:add(field, range, value_of(v)):set_hidden()
            if not named[item_id] then
                item_names = item_names and item_names .. ", " .. v or v
            end
        else
            label()
            if field == nil and letter == "l" then
                item = parent:add(range, labels[id])
                counts[depth] = 0
            elseif field == nil then
                strange = strange + 1
                item = unknown(parent, range, id, kind, low, high, nodes, at, texts)
                if item == nil then
                    return problem("a value is damaged")
                end
            elseif kind == NONE then
                item = parent:add(field, range)
                local count = counts[depth - 1]
                if count then
                    item:append_text(format("[%d]", count))
                    counts[depth - 1] = count + 1
                end
                counts[depth] = nil
            elseif kind == TEXT then
                local v = text_at(texts, low, high)
                if v == nil then
                    return problem("a text is outside of the texts")
                end
                item = parent:add(field, range, value_of(v))
                if pairs_of[id] then
                    item:set_text((string.gsub(visible(v), "\\", ": ", 1)))
                end
            else
                item = parent:add(field, range, number(letter, low, high, nodes, at))
            end
            item_id, item_names, item_place = id, nil, place
            if kind == NONE then
                deepest = depth + 1
                stack[deepest] = item
            else
                deepest = depth
                if bits == 0 then
                    item:set_generated()
                end
            end
        end
    end
    label()
    if strange > 0 then
        root:add_proto_expert_info(other_list, format("%d fields that this plug-in does not have", strange))
    end
end

local self_dissector

local function dissect(tvb, pinfo, tree, root)
    local broken = false
    local function problem(what)
        if not broken then
            broken = true
            pinfo.cols.info:append(" [Malformed]")
            root:add_proto_expert_info(malformed, "Malformed container: " .. what)
        end
    end
    local c, why = parse(tvb)
    if c == nil then
        pinfo.cols.protocol = "q3dissect"
        pinfo.cols.info = ""
        return problem(why)
    end
    local protocol, info = section(c, "protocol"), visible(section(c, "info"))
    pinfo.cols.protocol = protocol ~= "" and visible(protocol) or "udp"
    pinfo.cols.info = info
    local shown = tree.visible
    self_dissector = self_dissector or Dissector.get("q3dissect")
    local needed = shown or tree:referenced(self_dissector)
    if not needed and c.h[18] == 0 then
        return
    end
    local range, texts = tvb:range(0, 0), section(c, "texts")
    if not needed then
        return expert_part(c, root, range, texts, false, problem)
    end
    root:append_text(": " .. visible(protocol) .. ": " .. info)
    common_part(c, tree, root, range, shown)
    if shown then
        local message, own = sources(c, problem)
        shown_part(c, root, range, texts, message, own, problem)
    else
        needed_part(c, tree, root, range, texts, problem)
    end
    expert_part(c, root, range, texts, true, problem)
    if c.h[20] > 0 then
        root:add_proto_expert_info(left_out, format("%d nodes did not fit into the packet", c.h[20]))
    end
    if c.h[5] ~= LIST then
        local program = section(c, "program")
        local age = older(program, VERSION)
        local how = "another version than"
        if age ~= nil then
            how = age and "an older version than" or "a newer version than"
        end
        root:add_proto_expert_info(other_list, format("written by %s, %s that of this plug-in (%s): fields that it does not have are shown by number",
            visible(program), how, VERSION))
    end
end

function q3.dissector(tvb, pinfo, tree)
    local root = tree:add(q3, tvb:range())
    local ok, why = pcall(dissect, tvb, pinfo, tree, root)
    if not ok then
        root:add_proto_expert_info(malformed, "Malformed container: " .. tostring(why))
    end
    return tvb:len()
end
