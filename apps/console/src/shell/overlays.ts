/** Overlays of the page; one is open at a time. */
export type Overlay = 'menu' | 'palette' | 'notices' | 'shortcuts' | 'theme'
