-- Requests one path again and again, each time with another number in place of RANDOM, in the path and in a log-in.
local path, is_login

function init(args)
  path = args[1]
  is_login = args[2] == "login"
  math.randomseed(os.time())
end

function request()
  local number = tostring(math.random(1, 1000000000))
  local headers = {}
  if is_login then headers["Authorization"] = "Basic " .. encoded("nobody" .. number .. ":guess") end
  return wrk.format("GET", (path:gsub("RANDOM", number)), headers)
end

local alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

function encoded(text)
  local bits, out = 0, {}
  for i = 1, #text, 3 do
    local a, b, c = text:byte(i, i + 2)
    bits = a * 65536 + (b or 0) * 256 + (c or 0)
    for place = 3, 0, -1 do
      local six = math.floor(bits / 64 ^ place) % 64
      out[#out + 1] = alphabet:sub(six + 1, six + 1)
    end
    if not c then out[#out] = "=" end
    if not b then out[#out - 1] = "=" end
  end
  return table.concat(out)
end
