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

/** The pixels are counted before any is decoded. */
async function draw(bytes: Buffer): Promise<Drawn | PictureFault> {
  const picture = sharp(bytes, { limitInputPixels: limits.mediaPixels, failOn: 'error', pages: 1 })
  const { format, width, height, hasAlpha } = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (!formats.includes(format)) return 'unreadable'
  if (width * height > limits.mediaPixels) return 'too_many_pixels'
  const upright = picture.autoOrient()
  const whole = await inside(upright, limits.mediaSide, hasAlpha)
  const preview = await inside(upright, limits.mediaPreviewPixels, hasAlpha)
  return {
    type: hasAlpha ? 'image/png' : 'image/jpeg',
    width: whole.info.width,
    height: whole.info.height,
    whole: whole.data,
    preview: preview.data,
  }
}

/** Written anew, which leaves out everything but the pixels. A palette keeps transparent pictures small. */
function inside(picture: Sharp, side: number, transparent: boolean) {
  const sized = picture.clone().resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
  const written = transparent ? sized.png({ palette: true, quality: 90 }) : sized.jpeg({ quality: 85 })
  return written.toBuffer({ resolveWithObject: true })
}
