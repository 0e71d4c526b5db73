package dev.tapewright.testcontainers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * Tapewright in a container, ready when it has started.
 *
 * <pre>{@code
 * try (var tapewright = new TapewrightContainer("tapewright:1.0.0-rc.1")) {
 *   tapewright.start();
 *   String baseUrl = tapewright.getBaseUrl(); // keys: demo / demo-secret
 *   tapewright.control("POST", "/sandboxes/default/clock/advance", "{\"ms\": 60000}");
 * }
 * }</pre>
 */
public class TapewrightContainer extends GenericContainer<TapewrightContainer> {
  /** The port of the server inside. */
  public static final int PORT = 4010;

  private static final String TOKEN = "testcontainers";

  private final HttpClient http = HttpClient.newHttpClient();

  /** A container of an image, with a held clock: a test moves it. */
  public TapewrightContainer(String image) {
    super(DockerImageName.parse(image));
    withExposedPorts(PORT);
    withEnv("TAPEWRIGHT_CONTROL_TOKEN", TOKEN);
    withEnv("TAPEWRIGHT_CLOCK", "held");
    waitingFor(
        Wait.forHttp("/_control/health")
            .forPort(PORT)
            .forStatusCode(200)
            .withStartupTimeout(Duration.ofMinutes(2)));
  }

  /** Sets a flag of {@code serve}, such as {@code withFlag("SCENARIO", "stale-book")}. */
  public TapewrightContainer withFlag(String name, String value) {
    return withEnv("TAPEWRIGHT_" + name, value);
  }

  /** The base URL of requests. */
  public String getBaseUrl() {
    return "http://" + getHost() + ":" + getMappedPort(PORT);
  }

  /** The base URL of sockets. */
  public String getWsBaseUrl() {
    return "ws://" + getHost() + ":" + getMappedPort(PORT);
  }

  /**
   * The answer to a call of the control plane, as JSON.
   *
   * @param body JSON, or null without one
   * @throws IllegalStateException for a refusal, in the control plane's own words
   */
  public String control(String method, String path, String body) {
    HttpRequest.BodyPublisher publisher =
        body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(getBaseUrl() + "/_control" + path))
            .header("authorization", "Bearer " + TOKEN)
            .header("content-type", "application/json")
            .method(method, publisher)
            .build();
    try {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() < 400) return answer.body();
      throw new IllegalStateException(method + " " + path + ": " + answer.body());
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(error);
    }
  }
}
