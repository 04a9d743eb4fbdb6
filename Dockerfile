# Two stages: the first builds the wheel and its environment; the second contains no build tools.
# Both must use the same Python version.
# By the digest of the index of all its platforms; docs/hosting.md says how to take a newer one.
ARG PYTHON_IMAGE=python:3.11.16-slim@sha256:9534e5a8e315485d4061ed659af0fd78a284c015f9b73661b41d6bab25604534
FROM ${PYTHON_IMAGE} AS build

WORKDIR /src
COPY requirements/ requirements/
RUN python -m venv /build \
    && /build/bin/pip install --no-cache-dir --require-hashes --no-deps -r requirements/build.txt \
    && python -m venv --without-pip /opt/facedown \
    && /build/bin/pip --python /opt/facedown/bin/python install --no-cache-dir --require-hashes --no-deps \
        -r requirements/run.txt
COPY hatch_build.py package.json package-lock.json .npmrc ./
RUN /build/bin/python hatch_build.py fetch
COPY . .
RUN /build/bin/python -m hatchling build -t wheel -d /wheels \
    && /build/bin/pip --python /opt/facedown/bin/python install --no-cache-dir --no-deps --no-index /wheels/*.whl


FROM ${PYTHON_IMAGE}

RUN useradd --uid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin facedown \
    && install -d -o facedown -g facedown -m 700 /data
COPY --from=build /opt/facedown /opt/facedown

ENV PATH=/opt/facedown/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    HOST=0.0.0.0 \
    PORT=8000 \
    DATA_DIR=/data
USER 10001
WORKDIR /data
EXPOSE 8000

HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen('http://127.0.0.1:' + os.environ['PORT'] + '/healthz', timeout=4)"]

CMD ["facedown", "serve"]
