-- Every request is new work: its own idempotency key and its own body.
local thread_count = 0

function setup(thread)
  thread_count = thread_count + 1
  thread:set("thread_number", thread_count)
end

function init(args)
  secret_key = args[1]
  run = args[2]
  sent = 0
end

function request()
  sent = sent + 1
  local headers = {
    ["Content-Type"] = "application/json",
    ["Authorization"] = "Bearer " .. secret_key,
    ["Idempotency-Key"] = string.format("%s-%d-%d", run, thread_number, sent),
  }
  local body = string.format(
    '{"name":"Ada Lovelace %d","email":"ada%d@example.com","metadata":{"order":"%d"}}', sent, sent, sent)
  return wrk.format("POST", "/v1/customers", headers, body)
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"seconds":%f,"p50_ms":%f,"p99_ms":%f,"failed":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
