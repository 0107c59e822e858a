import type { Screen } from '../kit/screen.ts'

export const systemScreens: Screen[] = []
