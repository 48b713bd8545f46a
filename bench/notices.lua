-- Sends signed notices at a steady rate. Each line of the file is a signature, a tab and a body.
local ffi = require("ffi")
ffi.cdef[[ typedef struct { long seconds; long nanoseconds; } moment; int clock_gettime(int clock, moment* now); ]]
local now = ffi.new("moment")
local step = 10 -- milliseconds: wrk does not sleep while a timer is nearer than one

local function milliseconds()
  ffi.C.clock_gettime(1, now)
  return tonumber(now.seconds) * 1e3 + tonumber(now.nanoseconds) / 1e6
end

function init(args)
  path = args[1]
  rate = tonumber(args[3])
  lines = {}
  for line in io.lines(args[2]) do lines[#lines + 1] = line end
  sent = 0
  planned = 0
end

-- Called before each request of a connection: the requests of all connections share one plan.
function delay()
  began = began or milliseconds()
  planned = planned + 1
  local at = began + math.ceil(planned * 1e3 / rate / step) * step
  return math.max(0, math.ceil(at - milliseconds()))
end

function request()
  sent = sent + 1
  local signature, body = lines[(sent - 1) % #lines + 1]:match("^([^\t]*)\t(.*)$")
  return wrk.format("POST", path, { ["Content-Type"] = "application/json", ["Harbor-Signature"] = signature }, body)
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"seconds":%f,"p50_ms":%f,"p99_ms":%f,"failed":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
