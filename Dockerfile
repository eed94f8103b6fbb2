# One image for all of Carillon's processes; the command says which one runs.
# Node 24 runs the TypeScript as it is; only the workflows are made one script beforehand, so that a worker starts fast.
FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /carillon
COPY package.json package-lock.json ./
COPY client/package.json client/
# The npm package `node` is a dev dependency for machines with an older Node; the image has its own.
RUN npm ci --omit=dev && npm cache clean --force
COPY src src
COPY client client
RUN node src/temporal/bundle.ts
USER node
CMD ["node", "src/server.ts"]
