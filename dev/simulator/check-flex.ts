import { z } from 'zod'
import { graphemes, imageUrl, link, text, within } from './check-text.ts'

/** The action of a button; the maximum length of its label depends on the position of the button. */
export const action = (max: number) =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('uri'), label: graphemes(max), uri: link }),
    z.strictObject({
      type: z.literal('postback'),
      label: graphemes(max),
      data: text(300),
      displayText: graphemes(300).optional(),
    }),
  ])

const Colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'Must be a colour')

const Text = z.strictObject({
  type: z.literal('text'),
  text: text(Number.POSITIVE_INFINITY),
  size: z.enum(['xxs', 'xs', 'sm', 'md', 'lg', 'xl', 'xxl']).optional(),
  weight: z.enum(['regular', 'bold']).optional(),
  color: Colour.optional(),
  wrap: z.boolean().optional(),
})

const Button = z.strictObject({
  type: z.literal('button'),
  style: z.enum(['primary', 'secondary', 'link']).optional(),
  color: Colour.optional(),
  height: z.enum(['sm', 'md']).optional(),
  adjustMode: z.literal('shrink-to-fit').optional(),
  action: action(40),
})

const Image = z.strictObject({
  type: z.literal('image'),
  url: imageUrl,
  size: z.enum(['xs', 'sm', 'md', 'lg', 'xl', 'full']).optional(),
  aspectRatio: z
    .string()
    .regex(/^\d+:\d+$/, 'Must be width:height')
    .optional(),
  aspectMode: z.enum(['cover', 'fit']).optional(),
})

const Box = z.strictObject({
  type: z.literal('box'),
  layout: z.enum(['vertical', 'horizontal', 'baseline']),
  spacing: z.enum(['none', 'xs', 'sm', 'md', 'lg', 'xl']).optional(),
  get contents(): z.ZodArray<
    z.ZodDiscriminatedUnion<[typeof Text, typeof Button, typeof Image, typeof Box]>
  > {
    return z.array(z.discriminatedUnion('type', [Text, Button, Image, Box]))
  },
})

const Bubble = z
  .strictObject({
    type: z.literal('bubble'),
    size: z.enum(['nano', 'micro', 'deca', 'hecto', 'kilo', 'mega', 'giga']).optional(),
    hero: Image.optional(),
    body: Box.optional(),
    footer: Box.optional(),
  })
  .refine(...within(30_000))

const Carousel = z
  .strictObject({
    type: z.literal('carousel'),
    contents: z
      .array(Bubble)
      .min(1)
      .max(12)
      .refine(
        (bubbles) => new Set(bubbles.map(({ size }) => size)).size === 1,
        'Bubbles must have the same size',
      ),
  })
  .refine(...within(50_000))

/** The contents of a Flex message, limited to the components that Carillon uses. */
export const FlexContainer = z.discriminatedUnion('type', [Bubble, Carousel])
export type FlexContainer = z.infer<typeof FlexContainer>
export type FlexBubble = z.infer<typeof Bubble>
export type FlexComponent =
  | z.infer<typeof Text>
  | z.infer<typeof Button>
  | z.infer<typeof Image>
  | z.infer<typeof Box>
