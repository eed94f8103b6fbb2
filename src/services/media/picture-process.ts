import sharp, { type Sharp } from 'sharp'
import { limits } from '../../contract/limits.ts'
import type { Drawn, PictureFault } from './pictures.ts'

/**
 * A process of its own that reads what people upload: whatever a file does to it, the hub goes on. It has no settings and no
 * connection, and knows three formats. Each message is the bytes of a picture, and is answered in order.
 */

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
sharp.cache(false)
sharp.concurrency(1)

const formats: readonly string[] = ['jpeg', 'png', 'webp']

process.on('message', (bytes: Buffer) => {
  draw(bytes).then(
    (drawn) => process.send!(drawn),
    () => process.send!('unreadable'),
  )
})

/** The pixels are counted before any is decoded, and decoded once. */
async function draw(bytes: Buffer): Promise<Drawn | PictureFault> {
  const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (!formats.includes(format)) return 'unreadable'
  if (width * height > limits.mediaPixels) return 'too_many_pixels'
  const picture = sharp(bytes, { limitInputPixels: limits.mediaPixels, failOn: 'error', pages: 1 })
  const { data, info } = await inside(picture.autoOrient(), limits.mediaSide)
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const pixels = sharp(data, { raw: info, limitInputPixels: limits.mediaPixels })
  const { isOpaque } = await pixels.clone().stats()
  return {
    type: isOpaque ? 'image/jpeg' : 'image/png',
    width: info.width,
    height: info.height,
    whole: await encode(pixels, isOpaque, mostBytes.whole),
    preview: await encode(inside(pixels, limits.mediaPreviewPixels), isOpaque, mostBytes.preview),
  }
}

function inside(picture: Sharp, side: number): Sharp {
  return picture.clone().resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
}

/** What the chat provider takes (https://developers.line.biz/en/reference/messaging-api/#image-message). */
const mostBytes = { whole: 10_000_000, preview: 1_000_000 }

/**
 * Written anew, which leaves out everything but the pixels. A transparent picture keeps its colours; one that would be too
 * large has a palette of them, found with little effort.
 */
async function encode(picture: Sharp, isOpaque: boolean, most: number): Promise<Buffer> {
  if (isOpaque) return picture.clone().jpeg({ quality: 85 }).toBuffer()
  let file = await picture.clone().png().toBuffer()
  for (const colours of fewerColours)
    if (file.length > most) file = await picture.clone().png({ palette: true, colours, effort: 1 }).toBuffer()
  return file
}
/** Half a byte of each pixel: a preview of them is below its limit, whatever it shows. */
const fewerColours = [256, 16]
