import type { S3Client } from '@aws-sdk/client-s3'
import { fileName, type MediaStore } from './store.ts'

/** A bucket of an S3-compatible store. */
export type Bucket = {
  name: string
  endpoint: string | undefined
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/**
 * Keeps pictures in a bucket. The client is loaded with the first picture: most installations have none. Addresses have the
 * bucket in their path, and checksums are sent where the protocol asks for them: other stores than Amazon's know no more.
 */
export function s3Store({ name, endpoint, region, accessKeyId, secretAccessKey }: Bucket): MediaStore {
  let opened: Promise<{ client: S3Client; sdk: typeof import('@aws-sdk/client-s3') }> | undefined
  const open = () => {
    opened ??= import('@aws-sdk/client-s3').then((sdk) => ({
      sdk,
      client: new sdk.S3Client({
        region,
        ...(endpoint !== undefined && { endpoint }),
        forcePathStyle: true,
        credentials: { accessKeyId, secretAccessKey },
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        maxAttempts: 3,
      }),
    }))
    return opened
  }
  return {
    async put(picture, files) {
      const { client, sdk } = await open()
      for (const preview of [false, true])
        await client.send(
          new sdk.PutObjectCommand({
            Bucket: name,
            Key: fileName(picture, preview),
            Body: preview ? files.preview : files.whole,
            ContentType: picture.type,
          }),
        )
    },
    async open(picture, preview) {
      const { client, sdk } = await open()
      try {
        const { Body, ContentLength: bytes } = await client.send(
          new sdk.GetObjectCommand({ Bucket: name, Key: fileName(picture, preview) }),
        )
        // In Node, a body is a stream of buffers.
        return bytes === undefined ? undefined : { bytes, parts: Body as unknown as AsyncIterable<Buffer> }
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return undefined
        throw error
      }
    },
    async remove(picture) {
      const { client, sdk } = await open()
      for (const preview of [false, true])
        await client.send(new sdk.DeleteObjectCommand({ Bucket: name, Key: fileName(picture, preview) }))
    },
  }
}
