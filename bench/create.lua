-- Creates events, each with a title of its own, and prints the same line as load.lua.
local number = 0

function init(args)
  prefix = args[1]
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
end

function request()
  number = number + 1
  return wrk.format(nil, nil, nil, string.format(
    '{"title": "%s %d", "start_date": "2027-03-01 19:00:00", "end_date": "2027-03-01 21:00:00", "status": "publish", ' ..
    '"description": "An evening."}', prefix, number))
end

dofile((debug.getinfo(1, "S").source:sub(2):gsub("create.lua$", "load.lua")))
