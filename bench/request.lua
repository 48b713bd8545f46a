-- Every request is new work: its own idempotency key and its own body.
local thread_count = 0

function setup(thread)
  thread_count = thread_count + 1
  thread:set("thread_number", thread_count)
end

function init(args)
  secret_key = args[1]
  run = args[2]
  kind = args[3]
  ids = {}
  if args[4] ~= "" then
    for id in io.lines(args[4]) do ids[#ids + 1] = id end
  end
  sent = 0
  headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. secret_key }
end

local function customer()
  return "/v1/customers", string.format(
    '{"name":"Ada Lovelace %d","email":"ada%d@example.com","metadata":{"order":"%d"}}', sent, sent, sent)
end

local function payment()
  return "/v1/payments", string.format(
    '{"amount":%d,"currency":"eur","payment_method":"%s","description":"Order %d"}', sent % 5000 + 1, ids[sent % #ids + 1], sent)
end

local function session()
  return "/v1/checkout_sessions", string.format(
    '{"amount":%d,"currency":"eur","description":"Order %d","reference":"%d"}', sent % 5000 + 50, sent, sent)
end

function request()
  sent = sent + 1
  if kind == "list" then return wrk.format("GET", "/v1/payments?limit=10", headers) end
  if kind == "page" then return wrk.format("GET", ids[sent % #ids + 1], { ["Accept-Language"] = "en" }) end
  if kind == "retrieve" then return wrk.format("GET", "/v1/payments/" .. ids[sent % #ids + 1], headers) end
  local path, body
  if kind == "payments" then path, body = payment()
  elseif kind == "sessions" then path, body = session()
  else path, body = customer() end
  headers["Idempotency-Key"] = string.format("%s-%d-%d", run, thread_number, sent)
  return wrk.format("POST", path, headers, body)
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"seconds":%f,"p50_ms":%f,"p99_ms":%f,"failed":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
