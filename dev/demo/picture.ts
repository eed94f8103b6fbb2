import sharp from 'sharp'
import type { Media, MediaPage } from '../../src/contract/media.ts'
import { type Caller, call, upload } from './send.ts'

/** A lawn between buildings on a clear day, drawn here: the demo loads nothing from elsewhere. */
const campus = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 780">
  <defs>
    <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#8ec9f0"/><stop offset="1" stop-color="#e6f4fb"/></linearGradient>
    <linearGradient id="lawn" x2="0" y2="1"><stop stop-color="#8cc47a"/><stop offset="1" stop-color="#5d9e54"/></linearGradient>
  </defs>
  <rect width="1200" height="780" fill="url(#sky)"/>
  <circle cx="985" cy="130" r="62" fill="#ffe08a"/>
  <path d="M0 470 Q220 350 470 430 T900 400 T1200 450 V560 H0Z" fill="#a9c9bb"/>
  <rect x="110" y="330" width="330" height="230" fill="#c96f4a"/>
  <path d="M90 330 H460 L430 285 H120Z" fill="#8d4630"/>
  <rect x="500" y="250" width="220" height="310" fill="#e9dcc4"/>
  <path d="M490 250 L610 165 L730 250Z" fill="#8d4630"/>
  <circle cx="610" cy="225" r="22" fill="#fff" stroke="#8d4630" stroke-width="6"/>
  <rect x="780" y="350" width="320" height="210" fill="#d6cbb6"/>
  <rect x="770" y="332" width="340" height="22" fill="#7d8a92"/>
  <g fill="#f7efe0">
    ${[150, 225, 300, 375].map((x) => `<rect x="${x}" y="370" width="38" height="62"/><rect x="${x}" y="465" width="38" height="62"/>`).join('')}
    ${[825, 900, 975, 1050].map((x) => `<rect x="${x - 12}" y="385" width="44" height="52"/><rect x="${x - 12}" y="470" width="44" height="52"/>`).join('')}
  </g>
  <rect x="577" y="440" width="66" height="120" rx="33" fill="#7a5a3c"/>
  <path d="M0 540 Q600 500 1200 540 V780 H0Z" fill="url(#lawn)"/>
  <path d="M560 548 H660 L780 780 H440Z" fill="#ead9b5"/>
  <g fill="#3f7d46">
    ${[60, 470, 740, 1140].map((x, n) => `<rect x="${x - 8}" y="${490 + (n % 2) * 14}" width="16" height="86" fill="#6b4b32"/><circle cx="${x}" cy="${462 + (n % 2) * 14}" r="62"/>`).join('')}
  </g>
  <g fill="#e2534c"><path d="M180 640 h150 l-20 -46 h-110Z"/><rect x="196" y="640" width="118" height="56" fill="#fff"/></g>
  <g fill="#3d7fc1"><path d="M880 650 h150 l-20 -46 h-110Z"/><rect x="896" y="650" width="118" height="56" fill="#fff"/></g>
</svg>`

/** The first picture of the caller's unit; one is uploaded if it has none. */
export async function ensurePicture(editor: Caller): Promise<Media> {
  const { items } = await call<MediaPage>(editor, 'GET', '/v1/media?limit=1')
  return items[0] ?? upload(editor, await sharp(Buffer.from(campus)).jpeg({ quality: 90 }).toBuffer())
}
