/** A plug in the shape of a W. */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg className="logo" width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="8" fill="var(--brand-solid)" />
      <path
        d="M7 11l4.2 11L16 12.5 20.8 22 25 11"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="M11 6v3M21 6v3" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  )
}
