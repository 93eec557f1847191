# Attention Atlas on a CPU: docker build -t attention-atlas . && docker run -p 8501:8501 attention-atlas
# It runs as a user without rights and writes to /tmp alone, so it may be given --read-only
# --tmpfs /tmp. compose.yaml starts several of them behind nginx.
FROM python:3.11-slim

# The home of the user is /tmp: what Streamlit keeps for itself goes there and nowhere else.
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 HOME=/tmp \
    # Visitors may open the models in this folder and no other.
    ATLAS_MODELS=/models

WORKDIR /atlas

# First the packages: they change less often than the code. The torch of this index has no CUDA.
COPY requirements.txt ./
RUN pip install --no-cache-dir --extra-index-url https://download.pytorch.org/whl/cpu \
    -r requirements.txt

COPY .streamlit .streamlit
COPY checkpoints checkpoints
COPY pages pages
COPY viz_core viz_core
COPY app.py LICENSE ./

RUN python -m compileall -q viz_core pages app.py \
    && mkdir /models \
    && useradd --system --uid 10001 --no-create-home atlas
USER 10001

EXPOSE 8501
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://localhost:8501/_stcore/health', timeout=4)"]

CMD ["python", "-m", "streamlit", "run", "app.py", "--server.address=0.0.0.0", "--server.port=8501", "--browser.serverAddress=localhost"]
