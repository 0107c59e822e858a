import { type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Box } from './map-file.ts'
import { fit, moved, type Projection, type Size, type Spot, type View, zoomed } from './projection.ts'

const step = { zoom: 1.6, px: 80, wheel: 0.0015, clickPx: 5 }
type Step = 'in' | 'out' | 'left' | 'right' | 'up' | 'down' | 'home'

/** The view of a map, changed by wheel, drag and pinch, and in steps by buttons and keys. */
export function useMapView(drawing: RefObject<SVGSVGElement | null>, box: Box, start: Box) {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  const [chosen, setChosen] = useState<View>()
  const known = size.width > 0
  const projection: Projection = {
    size,
    box,
    view: chosen ?? (known ? fit(size, box, start) : { lng: 0, lat: 0, zoom: 1 }),
  }
  const latest = useRef(projection)
  useLayoutEffect(() => {
    latest.current = projection
  })

  useEffect(() => {
    const element = drawing.current
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    observer.observe(element)
    // React's wheel listener is passive, so the page would scroll as well.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const bounds = element.getBoundingClientRect()
      const at = { x: event.clientX - bounds.left, y: event.clientY - bounds.top }
      setChosen(zoomed(latest.current, Math.exp(-event.deltaY * step.wheel), at))
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => {
      observer.disconnect()
      element.removeEventListener('wheel', onWheel)
    }
  }, [drawing])

  const go = (to: Step) => {
    const middle = { x: size.width / 2, y: size.height / 2 }
    const ways: Record<Step, () => View> = {
      in: () => zoomed(projection, step.zoom, middle),
      out: () => zoomed(projection, 1 / step.zoom, middle),
      left: () => moved(projection, step.px, 0),
      right: () => moved(projection, -step.px, 0),
      up: () => moved(projection, 0, step.px),
      down: () => moved(projection, 0, -step.px),
      home: () => fit(size, box, box),
    }
    setChosen(ways[to]())
  }
  return { projection, known, go, ...useDrag(latest, setChosen) }
}

const distance = (a: Spot, b: Spot) => Math.hypot(a.x - b.x, a.y - b.y)
const between = (a: Spot, b: Spot) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })

/** One pointer moves the map, two also zoom it. A press without movement is a click. */
function useDrag(latest: RefObject<Projection>, setView: (view: View) => void) {
  const pointers = useRef(new Map<number, Spot>())
  const still = useRef(false)
  const spotOf = (event: PointerEvent<SVGSVGElement>): Spot => {
    const bounds = event.currentTarget.getBoundingClientRect()
    return { x: event.clientX - bounds.left, y: event.clientY - bounds.top }
  }
  const began = useRef<Spot>({ x: 0, y: 0 })

  function onPointerDown(event: PointerEvent<SVGSVGElement>) {
    if (event.button !== 0) return
    const spot = spotOf(event)
    pointers.current.set(event.pointerId, spot)
    still.current = pointers.current.size === 1
    began.current = spot
  }

  function onPointerMove(event: PointerEvent<SVGSVGElement>) {
    const was = pointers.current.get(event.pointerId)
    if (!was) return
    const spot = spotOf(event)
    if (still.current && distance(began.current, spot) < step.clickPx) return
    if (still.current) {
      still.current = false
      // From here on the map captures the pointer, also outside of it. Not before: a click must reach its shape.
      event.currentTarget.setPointerCapture(event.pointerId)
    }
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
    pointers.current.set(event.pointerId, spot)
    const dragged = (by: number): View => moved(latest.current, (spot.x - was.x) * by, (spot.y - was.y) * by)
    if (!other) return setView(dragged(1))
    const factor = distance(spot, other) / Math.max(1, distance(was, other))
    setView(zoomed({ ...latest.current, view: dragged(0.5) }, factor, between(spot, other)))
  }

  /** The spot of a click; undefined if the pointer has moved. */
  function released(event: PointerEvent<SVGSVGElement>): Spot | undefined {
    const pressed = pointers.current.delete(event.pointerId)
    return pressed && still.current ? spotOf(event) : undefined
  }
  const onPointerCancel = (event: PointerEvent<SVGSVGElement>) => void released(event)
  // A pointer that leaves before it has moved sends no further events.
  const onPointerLeave = onPointerCancel
  return { drag: { onPointerDown, onPointerMove, onPointerCancel, onPointerLeave }, released }
}
