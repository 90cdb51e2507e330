// A track is a run with the marking before each step and after the last; at is how many steps have been taken.
function trackOf(net, start, taken) {
  const track = { markings: [start], steps: [], at: 0 };
  for (const ts of taken) advance(net, track, ts);
  track.at = 0;
  return track;
}

function advance(net, track, ts) {
  const { after } = fire(net, track.markings[track.at], ts);
  track.markings.length = track.at + 1;
  track.steps.length = track.at;
  track.markings.push(after || track.markings[track.at]); // a run that ends where two tokens would meet stays there
  track.steps.push(ts);
  track.at++;
}
