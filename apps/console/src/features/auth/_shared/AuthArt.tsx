/** Decorative supply lines that meet in stations; not animated for users who prefer reduced motion. */
const lines = [
  'M-20 760 H180 L260 680 H520 L600 600 H1100',
  'M-20 820 H260 L340 740 H620 L700 660 H1100',
  'M-20 700 H120 L200 620 H380 L460 540 H1100',
  'M-20 880 H360 L440 800 H740 L820 720 H1100',
]
const stations = [
  [180, 760],
  [520, 680],
  [260, 820],
  [620, 740],
  [380, 620],
  [600, 600],
  [740, 800],
] as const

export function AuthArt() {
  return (
    <svg className="auth-art" viewBox="0 0 800 900" preserveAspectRatio="xMidYMax slice" aria-hidden>
      <defs>
        <radialGradient id="glow">
          <stop offset="0" stopColor="#36D6FF" stopOpacity="0.35" />
          <stop offset="1" stopColor="#36D6FF" stopOpacity="0" />
        </radialGradient>
      </defs>
      <circle cx="640" cy="140" r="320" fill="url(#glow)" opacity="0.45" />
      {lines.map((line) => (
        <path key={line} d={line} fill="none" stroke="#2C639F" strokeWidth="1.5" />
      ))}
      {lines.map((line) => (
        <path key={line} className="flow" d={line} fill="none" stroke="#36D6FF" strokeWidth="2" strokeLinecap="round" />
      ))}
      {stations.map(([x, y]) => (
        <g key={`${x},${y}`}>
          <circle cx={x} cy={y} r="22" fill="url(#glow)" />
          <circle cx={x} cy={y} r="6" fill="#0B2A52" stroke="#36D6FF" strokeWidth="2" />
        </g>
      ))}
    </svg>
  )
}
