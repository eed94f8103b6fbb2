# One image for all processes of Carillon; the command selects the process.
# Node 24 runs TypeScript directly. Only the workflows are bundled at build time, so that a worker starts fast, and the
# client library, which the API serves, is compiled and packed.
FROM node:24-bookworm-slim AS client
WORKDIR /carillon
COPY package.json package-lock.json ./
COPY client/package.json client/
RUN npm ci --ignore-scripts && npm cache clean --force
COPY tsconfig.json LICENSE ./
COPY src src
COPY client client
RUN node client/generate-types.ts
RUN node client/pack.ts

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /carillon
COPY package.json package-lock.json ./
COPY client/package.json client/
# The npm package `node` is a dev dependency, for machines with an older Node; the image has Node 24.
RUN npm ci --omit=dev && npm cache clean --force
COPY src src
COPY client client
COPY --from=client /carillon/dist/client dist/client
# The pages that the API serves at /docs/api.
COPY docs/api docs/api
COPY CHANGELOG.md ./
RUN node src/temporal/bundle.ts
USER node
CMD ["node", "--max-old-space-size=384", "src/server.ts"]
