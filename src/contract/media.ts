import { z } from 'zod'
import { Id, IdParams, PageQuery, pageOf, UnitId } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { exampleId } from './example-ids.ts'
import { limits } from './limits.ts'

const pixels = z.int().min(1)

export const Media = z
  .object({
    id: Id.describe('The id of the picture.'),
    url: z
      .string()
      .describe(
        'The public URL of the picture, for `url` and `imageUrl` of messages. It cannot be guessed, and its content never changes.',
      ),
    previewUrl: z
      .string()
      .describe(`A smaller one, of at most ${limits.mediaPreviewPixels.toLocaleString('en')} pixels a side.`),
    width: pixels.describe('Its width in pixels.'),
    height: pixels.describe('Its height in pixels.'),
  })
  .meta({ id: 'Media', description: 'A picture of a unit, as recipients see it.' })
export type Media = z.infer<typeof Media>

export const MediaPage = pageOf(Media).meta({
  id: 'MediaPage',
  description: "One page of a unit's pictures, newest first.",
})
export type MediaPage = z.infer<typeof MediaPage>

/** Sessions of people in several units must pass unitId. */
export const MediaUnitQuery = z.object({ unitId: UnitId })
/** The same, for a list. */
export const MediaListQuery = PageQuery.extend({ unitId: UnitId })
export type MediaListQuery = z.infer<typeof MediaListQuery>

/** The types of pictures that can be uploaded. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const

const picture = {
  description:
    `A picture of at most ${limits.mediaBytes / 1024 ** 2} MiB and ${limits.mediaPixels.toLocaleString('en')} pixels. ` +
    'Its first bytes decide of which type it is.',
  example: '(the bytes of the picture)',
}

const example: Media = {
  id: exampleId,
  url: 'https://hub.example.edu/media/Zk3vQ0v1TbqfJ1m0c8sW7A.jpg',
  previewUrl: 'https://hub.example.edu/media/Zk3vQ0v1TbqfJ1m0c8sW7A-preview.jpg',
  width: 1_200,
  height: 800,
}

const common = { tag: 'Media', auth: ['producer', 'session'] } as const

/** Pictures that units upload for their messages. */
export const mediaEndpoints = {
  listMedia: {
    ...common,
    method: 'GET',
    path: '/v1/media',
    summary: 'List pictures',
    description: 'Newest first.',
    unit: 'query',
    query: MediaListQuery,
    answers: {
      200: { description: 'A page.', schema: MediaPage, example: { items: [example], nextCursor: null } },
    },
    errors: [],
  },
  createMedia: {
    ...common,
    method: 'POST',
    path: '/v1/media',
    summary: 'Upload a picture',
    description:
      `The body is the picture: JPEG, PNG or WebP. It is drawn again, of at most ${limits.mediaSide.toLocaleString('en')} ` +
      'pixels a side, without what cameras and programs write into files, such as the place. What is transparent becomes ' +
      `PNG, and anything else JPEG. A picture that no content has named for ${limits.mediaDays} days is deleted.`,
    roles: ['editor'],
    unit: 'query',
    query: MediaUnitQuery,
    upload: { 'image/jpeg': picture, 'image/png': picture, 'image/webp': picture },
    answers: { 201: { description: 'The picture.', schema: Media, example } },
    errors: ['not_configured'],
  },
  getMedia: {
    ...common,
    method: 'GET',
    path: '/v1/media/{id}',
    summary: 'Get a picture',
    description: 'Returns its addresses and its size.',
    unit: 'object',
    params: IdParams,
    answers: { 200: { description: 'The picture.', schema: Media, example } },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>
