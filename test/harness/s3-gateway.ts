import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { freePort } from '../../dev/ports.ts'
import { s3GatewayBinary } from '../../dev/s3-gateway.ts'
import type { Bucket } from '../../src/services/media/s3-store.ts'

/** A running store with a bucket. */
export type S3Gateway = { bucket: Bucket; client: S3Client; close(): Promise<void> }

/** Starts a store of its own, with one empty bucket. */
export async function startS3Gateway(): Promise<S3Gateway> {
  const command = await s3GatewayBinary()
  const folder = mkdtempSync(join(tmpdir(), 'carillon-s3-'))
  for (const name of ['objects', 'attributes']) mkdirSync(join(folder, name))
  const port = await freePort()
  const keys = { accessKeyId: 'carillon', secretAccessKey: 'hT5vTz0PqzqYp8wR' }
  const args = [
    '--port',
    `127.0.0.1:${port}`,
    'posix',
    '--sidecar',
    join(folder, 'attributes'),
    join(folder, 'objects'),
  ]
  const child = spawn(command, args, {
    env: { ...process.env, ROOT_ACCESS_KEY: keys.accessKeyId, ROOT_SECRET_KEY: keys.secretAccessKey },
    stdio: 'ignore',
  })
  const bucket = { name: 'pictures', endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', ...keys }
  const client = new S3Client({
    ...{ region: bucket.region, endpoint: bucket.endpoint, forcePathStyle: true, credentials: keys },
    maxAttempts: 1,
  })
  await waitFor(() => client.send(new CreateBucketCommand({ Bucket: bucket.name })))
  const close = async () => {
    client.destroy()
    const ended = new Promise((done) => child.once('exit', done))
    child.kill()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  return { bucket, client, close }
}

async function waitFor(ready: () => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + 20_000
  for (;;)
    try {
      await ready()
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(50)
    }
}
