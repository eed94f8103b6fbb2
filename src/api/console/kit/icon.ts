import { palette } from '../../../channels/palette.ts'

/** A bell, without which browsers ask for /favicon.ico. A data URL: pages carry it themselves. */
export const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="${palette.light.accent}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 21h4M12 3v2"/></svg>`,
)}`
