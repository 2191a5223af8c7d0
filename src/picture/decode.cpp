#include "picture/decode.h"

#include <png.h>

#include "core/errors.h"

#ifdef PLIANT_JPEG
#include <csetjmp>
#include <cstdio>
#include <jpeglib.h>
#endif

namespace pliant {
namespace {

constexpr double most_pixels = 32e6;

void check_size(double width, double height) {
  if (!(width > 0 && height > 0 && width * height <= most_pixels))
    throw IoError("the image has more than 32 million pixels, or none");
}

Image decode_png(std::string_view bytes) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()))
    throw IoError(std::string("the image is damaged: ") + png.message);
  try {
    check_size(png.width, png.height);
  } catch (const IoError&) {
    png_image_free(&png);
    throw;
  }
  png.format = PNG_FORMAT_RGB;
  Image image(int(png.width), int(png.height));
  const png_color white = {255, 255, 255};  // behind what is transparent
  if (!png_image_finish_read(&png, &white, image.pixels.data(), 0, nullptr))
    throw IoError(std::string("the image is damaged: ") + png.message);
  return image;
}

#ifdef PLIANT_JPEG

// libjpeg ends by a long jump: nothing with a destructor may live between it and here.
struct JpegErrors {
  jpeg_error_mgr manager;
  std::jmp_buf back;
};

bool read_jpeg(jpeg_decompress_struct& jpeg, JpegErrors& errors, std::string_view bytes,
               Image& image, bool& is_large) {
  jpeg.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = [](j_common_ptr common) {
    std::longjmp(reinterpret_cast<JpegErrors*>(common->err)->back, 1);
  };
  errors.manager.output_message = [](j_common_ptr) {};
  if (setjmp(errors.back) != 0) return false;
  jpeg_create_decompress(&jpeg);
  jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_read_header(&jpeg, TRUE);
  is_large = double(jpeg.image_width) * double(jpeg.image_height) > most_pixels;
  if (is_large || jpeg.image_width == 0 || jpeg.image_height == 0) return false;
  jpeg.out_color_space = JCS_RGB;
  jpeg_start_decompress(&jpeg);
  image = Image(int(jpeg.output_width), int(jpeg.output_height));
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = image.pixels[std::size_t(jpeg.output_scanline) * jpeg.output_width].data();
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_decompress(&jpeg);
  return true;
}

Image decode_jpeg(std::string_view bytes) {
  jpeg_decompress_struct jpeg{};
  JpegErrors errors{};
  Image image;
  bool is_large = false;
  const bool read = read_jpeg(jpeg, errors, bytes, image, is_large);
  jpeg_destroy_decompress(&jpeg);
  if (is_large) check_size(most_pixels, 2);
  if (!read) throw IoError("the image is damaged");
  return image;
}

#else

Image decode_jpeg(std::string_view) {
  throw IoError("the image is JPEG, which this program was built without");
}

#endif

}  // namespace

Image decode_image(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG")) return decode_png(bytes);
  if (bytes.starts_with("\xff\xd8")) return decode_jpeg(bytes);
  throw IoError("the image is neither PNG nor JPEG");
}

}  // namespace pliant
