-- Prints one line at the end: requests a second, latencies in ms, responses, and failed ones.
local enough = tonumber(os.getenv("ENOUGH")) or 0

-- Without this function wrk does not even parse the responses, so it is there only where their number matters.
if enough > 0 then
  local responses = 0
  function response()
    responses = responses + 1
    if responses == enough then
      io.write("enough\n")
      io.flush()
      wrk.thread:stop()
    end
  end
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("measured %.2f %.4f %.4f %d %d\n", summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, summary.requests, failed))
end
