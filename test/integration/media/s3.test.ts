import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { hasGo } from '../../../dev/s3-gateway.ts'
import { purgeNextMedia } from '../../../src/services/media/purge.ts'
import { s3Store } from '../../../src/services/media/s3-store.ts'
import { serveApi, startApi } from '../../fixtures/api.ts'
import { mediaOn, mediaUrl, photo } from '../../fixtures/pictures.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'
import { startS3Gateway } from '../../harness/s3-gateway.ts'

describe.skipIf(!hasGo())('pictures in a bucket', () => {
  const gateway = forFile(startS3Gateway)
  const api = forFile(async () => {
    const database = await freshDatabase()
    const { stores, ...media } = mediaOn(database.db)
    const s3 = s3Store(gateway.bucket)
    return startApi({ database, services: { media: { ...media, stores: { ...stores, s3, current: 's3' } } } })
  })
  const upload = async (key: string) =>
    (await api.call('createMedia', { key, raw: await photo(), headers: { 'content-type': 'image/jpeg' } }))
      .body
  const load = (url: string) => api.app.inject({ url: url.replace(mediaUrl, '') })
  const objects = async () => {
    const { Contents = [] } = await gateway.client.send(
      new ListObjectsV2Command({ Bucket: gateway.bucket.name }),
    )
    return Contents.map(({ Key }) => Key!).sort()
  }

  it('are kept, served and deleted there, and nowhere else', async () => {
    const { url, previewUrl } = await upload(api.keys.a)
    expect(await objects()).toEqual(
      [url, previewUrl].map((one) => one.slice(one.lastIndexOf('/') + 1)).sort(),
    )
    const { rawPayload, headers } = await load(url)
    expect(rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    expect(headers['content-type']).toBe('image/jpeg')
    expect((await load(previewUrl)).statusCode).toBe(200)
    expect(await api.database.db.selectFrom('media_file').select('media_id').execute()).toEqual([])
    await sql`update media set created_at = now() - interval '31 days'`.execute(api.database.db)
    await purgeNextMedia(api.services)
    expect(await objects()).toEqual([])
    expect((await load(url)).statusCode).toBe(404)
  })

  it('that were kept in Postgres before are still read there', async () => {
    const { url } = await upload(api.keys.a)
    const { media } = api.services
    const before = {
      ...api.services,
      media: { ...media!, stores: { ...media!.stores, current: 'postgres' as const } },
    }

    const { app, call } = await serveApi(api.database.db, { services: { media: before.media } })
    const headers = { 'content-type': 'image/jpeg' }
    const { body } = await call('createMedia', { key: api.keys.a, raw: await photo(), headers })
    expect((await load(body.url)).statusCode).toBe(200)
    expect((await load(url)).statusCode).toBe(200)
    await app.close()
  })

  it('of an upload that could not be written are in no list, and are cleared away', async () => {
    const { media } = api.services
    const broken = {
      put: async () => Promise.reject(new Error('no room')),
      open: media!.stores.s3!.open,
      remove: async () => {},
    }

    const { app, call } = await serveApi(api.database.db, {
      services: { media: { ...media!, stores: { s3: broken, current: 's3' } } },
    })
    const headers = { 'content-type': 'image/jpeg' }
    const { status } = await call('createMedia', { key: api.keys.b, raw: await photo(), headers })
    expect(status).toBe(500)
    expect((await api.call('listMedia', { key: api.keys.b })).body.items).toEqual([])
    await sql`update media set created_at = now() - interval '2 hours' where stored_at is null`.execute(
      api.database.db,
    )
    await purgeNextMedia(api.services)
    const { rows } = await sql`select from media where stored_at is null`.execute(api.database.db)
    expect(rows).toEqual([])
    await app.close()
  })
})
